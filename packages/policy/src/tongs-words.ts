import type { TextCheck } from "./scalar-shapes.ts";

const controlCharacter = /[\u0000-\u001f\u007f-\u009f]/;

/** Letters, digits, `.`, `_`, `-`; starts with a letter or digit; at most 64 characters. */
export const profileName: TextCheck = (name) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)
    ? undefined
    : "must be a profile name: 1 to 64 letters, digits, dots, underscores or dashes, the first a letter or digit";

/** The program of an argv. The pane starts it through env(1), which takes `A=b` for a variable. */
export const programName: TextCheck = (program) => {
  if (program === "") return "must name a program, not be empty";
  if (program.includes("=")) return 'must not contain "=": env would read it as a variable, not a program';
  return argument(program);
};

/** An element of an argv: anything but NUL, the empty text included. */
export const argument: TextCheck = (text) => (text.includes("\0") ? "must not contain NUL" : undefined);

export const directoryName: TextCheck = (text) => (text === "" ? "must not be empty" : argument(text));

export const environmentName: TextCheck = (name) => {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return "must be a variable name: letters, digits and underscores, the first no digit";
  }
  if (!name.startsWith("TONGS_AGENTS_")) return undefined;
  return "must not start with TONGS_AGENTS_: tongs-agents sets those variables itself";
};

export const sessionName: TextCheck = (name) => {
  if (name === "") return "must not be empty";
  return controlCharacter.test(name) ? "must not contain control characters" : undefined;
};

/** Empty (the default server), a name as for `tmux -L`, or an absolute path as for `tmux -S`. */
export const socketName: TextCheck = (socket) => {
  if (controlCharacter.test(socket)) return "must not contain control characters";
  if (socket.startsWith("-")) return 'must not start with "-"';
  if (socket.includes("/") && !socket.startsWith("/")) return "must be a name or an absolute path";
  return undefined;
};
