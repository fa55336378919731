import type { ErrorCode } from "yaml";

/** What is wrong, in words of our own: the library's may quote the file, which may hold a secret. */
export function saidAbout(code: ErrorCode): string {
  return `the file is not YAML here: ${sentences[code] ?? "this is not understood"}`;
}

const sentences: Readonly<Partial<Record<ErrorCode, string>>> = {
  ALIAS_PROPS: "an alias has no anchor or tag of its own",
  BAD_ALIAS: "an anchor or alias has no usable name",
  BAD_DIRECTIVE: "this directive is not known",
  BAD_DQ_ESCAPE: "there is no such escape in double quotes",
  BAD_INDENT: "the indentation does not fit the lines above, or a bracket there is still open",
  BAD_PROP_ORDER: "an anchor or tag stands in the wrong place",
  BAD_SCALAR_START: "text that starts with this character needs quotes",
  BLOCK_AS_IMPLICIT_KEY: "a second key or list on one line needs a line of its own",
  BLOCK_IN_FLOW: "an indented block cannot stand between brackets",
  KEY_OVER_1024_CHARS: "a key has more than 1024 characters",
  MISSING_CHAR: "a closing bracket, quote, colon, comma or space is missing",
  MULTILINE_IMPLICIT_KEY: "a key goes over more than one line",
  MULTIPLE_ANCHORS: "a value has more than one anchor",
  MULTIPLE_TAGS: "a value has more than one tag",
  NON_STRING_KEY: "a key must be text",
  RESOURCE_EXHAUSTION: "it is nested too deeply",
  TAB_AS_INDENT: "lines are indented with spaces, not with tabs",
  TAG_RESOLVE_FAILED: "this tag is not accepted or does not fit the value",
  UNEXPECTED_TOKEN: "this does not belong here",
};
