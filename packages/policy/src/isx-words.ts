import type { TextCheck } from "./scalar-shapes.ts";

const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** A template's name: `[a-z][a-z0-9-]{0,47}`, no dash at the end. */
export const templateName: TextCheck = (name) =>
  /^[a-z](?:[a-z0-9-]{0,46}[a-z0-9])?$/.test(name)
    ? undefined
    : "must be a template name: 1 to 48 lower-case letters, digits or dashes, the first a letter, the last no dash";

/** A recipe's name: as a template's, but a digit may come first. */
export const recipeName: TextCheck = (name) =>
  /^[a-z0-9](?:[a-z0-9-]{0,46}[a-z0-9])?$/.test(name)
    ? undefined
    : "must be a recipe name: 1 to 48 lower-case letters, digits or dashes, no dash at either end";

/** A template's name where one that no template has does no harm. */
export const mentionedName: TextCheck = (name) => {
  if (name === "") return "must not be empty";
  if (name.length > 100) return "must have at most 100 characters";
  return controlCharacter.test(name) ? "must not contain control characters" : undefined;
};

/** One line of text that says something. */
export const line: TextCheck = (text) => {
  if (text.trim() === "") return "must not be empty";
  return controlCharacter.test(text) ? "must be one line without control characters" : undefined;
};

/** Shell text, or another text of any lines. */
export const script: TextCheck = (text) => (text.trim() === "" ? "must not be empty" : anyText(text));

export const anyText: TextCheck = (text) => (text.includes("\0") ? "must not contain NUL" : undefined);

/** A word that becomes an argument of a program, and must not be read as an option. */
export const word: TextCheck = (text) => {
  if (text.startsWith("-")) return 'must not start with "-"';
  return /\s/.test(text) ? "must not contain spaces" : line(text);
};

/** A path in an instance. */
export const guestPath: TextCheck = (path) => {
  if (!path.startsWith("/") && path !== "~" && !path.startsWith("~/")) {
    return "must be an absolute path or one that starts with ~/";
  }
  if (path.split("/").includes("..")) return 'must not contain ".."';
  return line(path);
};

/** A directory on the host. */
export const hostDirectory: TextCheck = (path) =>
  path.startsWith("/") || path === "~" || path.startsWith("~/")
    ? anyText(path)
    : "must be an absolute path or one that starts with ~/";

export const absolutePath: TextCheck = (path) =>
  path.startsWith("/") ? guestPath(path) : "must be an absolute path";

/** Where a repository or a download is; without a user or password, since templates and images are shared. */
export const httpsAddress: TextCheck = (address) => {
  if (!URL.canParse(address) || !/^https:\/\/[^/\s]/.test(address)) return "must be an https:// address";
  const { username, password } = new URL(address);
  return username === "" && password === "" ? word(address) : "must not contain a user name or password";
};

/** A local alias, or `images:debian/12`. */
export const imageName: TextCheck = (image) =>
  /^(?:images:)?[A-Za-z0-9][A-Za-z0-9._/+-]{0,127}$/.test(image)
    ? undefined
    : "must be the alias of a local image, or images: and a name such as images:debian/12";

export const hostName: TextCheck = (name) =>
  /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/.test(name)
    ? undefined
    : "must be a host name in lower case, such as registry.npmjs.org";

export const variableName: TextCheck = (name) =>
  /^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
    ? undefined
    : "must be a variable name: letters, digits and underscores, the first no digit";

export const accountName: TextCheck = (name) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
    ? undefined
    : "must be an account name: 1 to 64 letters, digits, dots, underscores or dashes, the first a letter or digit";

export const incusSize: TextCheck = (size) =>
  /^[1-9][0-9]*(?:B|kB|MB|GB|TB|KiB|MiB|GiB|TiB)$/.test(size)
    ? undefined
    : "must be a size such as 512MiB or 4GiB";

export const sha256: TextCheck = (digest) =>
  /^[0-9a-f]{64}$/.test(digest) ? undefined : "must be 64 lower-case hex digits";

/** Permission bits: three or four octal digits. */
export const fileMode: TextCheck = (mode) =>
  /^[0-7]?[0-7]{3}$/.test(mode) ? undefined : 'must be octal digits, such as "0644"';

export const hostToolName: TextCheck = (name) =>
  /^[a-z0-9][a-z0-9_-]{0,39}$/.test(name)
    ? undefined
    : "must be a tool name: 1 to 40 lower-case letters, digits, underscores or dashes, the first a letter or digit";

/** As agent CLIs name models: `haiku`, `claude-sonnet-4-5`, `provider/model`. */
export const modelName: TextCheck = (name) =>
  /^[A-Za-z0-9][A-Za-z0-9._:@/[\]-]{0,119}$/.test(name)
    ? undefined
    : "must be a model name: 1 to 120 letters, digits or . _ : @ / [ ] -, the first a letter or digit";
