import { expect, it } from "vitest";
import { parseIsxConfig } from "../src/index.ts";
import { failureOf, lineOf } from "./refused.ts";

const parse = (text: string) => parseIsxConfig(Buffer.from(text), "/x/config.yaml", "/home/me");
const messageFor = async (text: string) => (await failureOf(parse(text))).message;

it("gives every default for a file with nothing in it", async () => {
  const defaults = { searchPaths: [], baseImage: undefined, proxyAllow: [], hasMcpSection: false };
  for (const text of ["", "# nothing", "proxy: {}"]) expect(await parse(text)).toEqual(defaults);
});

it("X-03 reads every key and resolves ~ only where it is the home directory", async () => {
  const text = `
searchPaths: ["~", ~/isx, /srv/~/isx]
base-image: images:debian/12
proxy:
  allow: [registry.npmjs.org, pypi.org]
`;
  expect(await parse(text)).toEqual({
    searchPaths: ["/home/me", "/home/me/isx", "/srv/~/isx"],
    baseImage: "images:debian/12",
    proxyAllow: ["registry.npmjs.org", "pypi.org"],
    hasMcpSection: false,
  });
});

it("X-09 notices the old mcp section, whatever it holds, and reads nothing of it", async () => {
  for (const text of ["mcp: {templates: [a], max-instances: -3}", "mcp:", "mcp: no"]) {
    expect((await parse(text)).hasMcpSection).toBe(true);
  }
});

it("accepts accounts, one or several in a namespace", async () => {
  const text = `
claude: {type: oauth, oauthToken: secret-1}
github: {token: secret-2, email: me@example.org}
openai:
  default: work
  accounts:
    work: {apiKey: secret-3}
    home: {apiKey: secret-4}
gemini: {accounts: {a.b: {apiKey: x}}}
`;
  expect(JSON.stringify(await parse(text))).not.toContain("secret");
});

it.each([
  ["searchPath: [/x]", "1:1: searchPath is not a known key; did you mean searchPaths?"],
  ["searchPaths: [isx]", "1:15: searchPaths[0] must be an absolute path or one that starts with ~/"],
  ["searchPaths: [~user/isx]", "1:15: searchPaths[0] must be an absolute path or one that starts with ~/"],
  ["base-image: -x", "1:13: base-image must be the alias of a local image, or images: and a name"],
  ["base-image: 12", "1:13: base-image must be text, not a whole number"],
  ["proxy: {allow: ['*']}", "1:17: proxy.allow[0] must be a host name"],
  ["proxy: {alow: []}", "1:9: proxy.alow is not a known key; did you mean allow?"],
  ["openai: {apikey: x}", "1:10: openai.apikey is not a known key; did you mean apiKey?"],
  ["openai: {accounts: {a: {apiKey: ''}}}", "1:33: openai.accounts.a.apiKey must not be empty"],
  [
    "openai: {accounts: {a: {apiKey: x}}, default: b}",
    "1:47: openai.default must name one of the accounts: a",
  ],
  ["openai: {accounts: {a: {apiKey: x}}, apiKey: y}", "1:38: openai.apiKey is not a known key"],
  ["claude: {type: api_key}", "1:16: claude.type must be oauth, api-key or vertex"],
])("C-10 refuses %j", async (text, says) => {
  expect(await messageFor(text)).toContain(`config.yaml:${says}`);
});

const secret = "sk-ant-api03-AAAABBBBCCCCDDDDEEEEFFFF";

it.each([
  `claude: ${secret}`,
  `claude: {${secret}}`,
  `claude: {type: ${secret}}`,
  `claude: {apiKey: [${secret}]}`,
  `claude: {apiKey: {${secret}: x}}`,
  `claude: {apiKey: "${secret}\\n"}`,
  `claude: {accounts: {a: {${secret}: x}}}`,
  `claude: {accounts: {a: ${secret}}}`,
  `claude: {accounts: {a: {}}, default: ${secret}}`,
  `claude: {apiKey: ${secret}`,
  `claude: {apiKey: "${secret}}`,
  `claude: {apiKey: !${secret} x}`,
  `claude: {apiKey: *${secret}}`,
])("C-10 shows no secret in the error about %j", async (text) => {
  const failure = await failureOf(parse(text));
  expect(failure.code).toBe("config-invalid");
  expect(`${await lineOf(parse(text))} ${JSON.stringify(failure.details)}`).not.toContain("AAAABBBB");
});
