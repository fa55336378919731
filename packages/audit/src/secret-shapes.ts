// Where a pattern has groups, the first that matched is the secret and the rest stays readable; otherwise all of
// it is the secret. Every repetition is bounded or ends at a character it cannot contain, so that time grows with
// the length of the text. Prefixes and lengths: the vendors' documentation of their keys.

const names = [
  "passw(?:or)?d",
  "passphrase",
  "pwd",
  "secret(?:[_-]?key)?",
  "token",
  "api[_-]?key",
  "access[_-]?key",
  "private[_-]?key",
].join("|");
const mark = "[\"'`\\\\]{0,8}";
const values = [
  '\\\\{1,8}"((?:[^"\\\\]|\\\\(?!["\\\\]))*)',
  '"((?:\\\\[\\s\\S]|[^"\\\\])*)',
  "\\\\{0,8}'([^']*)",
  "\\\\{0,8}`([^`]*)",
  "([^\\s\"'`]+)",
].join("|");

/** Regular expressions of things that are secrets by their looks, all with the flags `g` and `d`. */
export const secretShapes: readonly RegExp[] = [
  // Keys that vendors made recognisable: Anthropic, OpenAI, GitHub, AWS, Google, Slack, GitLab, npm, Hugging Face.
  /sk-ant-[\w-]{8,}/dg,
  /sk-(?:proj|svcacct)-[\w-]{20,}|sk-or-v\d-[\w-]{16,}/dg,
  /sk-[A-Za-z0-9]{20,}/dg,
  /(?<![A-Za-z0-9])sk-[\w-]{20,}/dg,
  /gh[pousr]_[A-Za-z0-9]{16,}/dg,
  /github_pat_\w{16,}/dg,
  /A[KS]IA[A-Z0-9]{16,}/dg,
  /AIza[\w-]{30,}/dg,
  /xox[a-z]-[A-Za-z0-9-]{8,}/dg,
  /glpat-[\w-]{16,}/dg,
  /npm_[A-Za-z0-9]{30,}/dg,
  /hf_[A-Za-z0-9]{20,}/dg,
  // JSON Web Tokens: the base64 of `{"` and what follows.
  /eyJ[\w-]{16,}(?:\.[\w-]*)*/dg,
  // HTTP credentials. The word after "basic" is spared when it is a plain word, as in "basic authentication".
  /bearer(?:\s|\\[nrt]){1,16}["']?([\w.~+/=-]{4,})/dgi,
  /(?:[Bb]asic|BASIC)(?:\s|\\[nrt]){1,16}(?![A-Z]?[a-z]+\b)([\w+/-]{6,}={0,2})/dg,
  new RegExp(
    `authorization${mark}\\s{0,16}[:=]\\s{0,16}${mark}((?:[a-z][\\w-]{0,30}[ \\t]{1,16})?[^\\s"']+)`,
    "dgi",
  ),
  // Passwords in URLs, and long user names without one, which are tokens.
  /:\/\/[^\s/:@"'<>]{0,256}:([^\s/"'<>]{1,1024})@/dg,
  /:\/\/([^\s/:@"'<>]{16,256})@/dg,
  // PEM blocks; one without an end reaches to the end of the text.
  /-----BEGIN [A-Z0-9 ]{1,64}-----[\s\S]*?(?:-----END [A-Z0-9 ]{1,64}-----|$)/dg,
  // name=value, "name": "value", --name value.
  new RegExp(`(?:${names})${mark}\\s{0,16}(?:=>|[:=])\\s{0,16}(?:${values})`, "dgi"),
  new RegExp(`-(?:[a-z]{1,20}-){0,5}(?:${names})\\s{1,16}(?:${values})`, "dgi"),
];
