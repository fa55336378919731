import { expect, it } from "vitest";
import { parseRecipeDefinition, parseTemplateDefinition } from "../src/index.ts";
import { failureOf } from "./refused.ts";

const template = (text: string) => parseTemplateDefinition(Buffer.from(text), "/x/t.yaml");
const recipe = (text: string) => parseRecipeDefinition(Buffer.from(text), "/x/r.yaml");
const messageFor = async (work: Promise<unknown>) => (await failureOf(work)).message;

it("X-03 leaves out of a template what its file leaves out", async () => {
  expect(await template("name: tpl-a")).toEqual({ name: "tpl-a" });
  expect(await template("name: tpl-a\nresources: {}\ncoordinator: {}\nrun: []")).toEqual({
    name: "tpl-a",
    resources: {},
    coordinator: {},
    run: [],
  });
});

it("X-03 reads every key of a template", async () => {
  const text = `
name: tpl-java
description: Java and Maven
parent: tpl-dev
packages: [openjdk-17-jdk, "maven=3.8*", libc6:amd64]
remove-packages: [nano]
tools: [claude, node]
repos:
  - url: https://github.com/owner/repo
    path: ~/work/repo
    branch: main
    prime: mvn -q install
  - url: https://example.org/a.git
skills: [owner/repo@skill, ./local]
env: {JAVA_HOME: /usr/lib/jvm, EMPTY: "", N: "1"}
files:
  - path: ~/.config/x
    content: |
      a
      b
  - {path: /etc/motd, content: "", owner: root, mode: "0600"}
run:
  - |
    set -e
    echo "$HOME"
run-as-user: [true && "false" || no]
workdir: ~/work/repo
shell-command: bash -l
default-action: claude
accounts: {github: bot, claude: work}
model: sonnet
network: proxy-only
resources: {cpu: 4, memory: 8GiB, disk: 20GB}
coordinator: {control-over: [tpl-java, tpl-dev], isx-control-capability: false}
`;
  expect(await template(text)).toEqual({
    name: "tpl-java",
    description: "Java and Maven",
    parent: "tpl-dev",
    packages: ["openjdk-17-jdk", "maven=3.8*", "libc6:amd64"],
    removePackages: ["nano"],
    tools: ["claude", "node"],
    repos: [
      { url: "https://github.com/owner/repo", path: "~/work/repo", branch: "main", prime: "mvn -q install" },
      { url: "https://example.org/a.git" },
    ],
    skills: ["owner/repo@skill", "./local"],
    env: { JAVA_HOME: "/usr/lib/jvm", EMPTY: "", N: "1" },
    files: [
      { path: "~/.config/x", content: "a\nb\n" },
      { path: "/etc/motd", content: "", owner: "root", mode: 0o600 },
    ],
    run: ['set -e\necho "$HOME"\n'],
    runAsUser: ['true && "false" || no'],
    workdir: "~/work/repo",
    shellCommand: "bash -l",
    defaultAction: "claude",
    accounts: { github: "bot", claude: "work" },
    model: "sonnet",
    network: "proxy-only",
    resources: { cpu: 4, memory: "8GiB", disk: "20GB" },
    coordinator: { controlOver: ["tpl-java", "tpl-dev"], isxControlCapability: false },
  });
});

it.each(["no", "on", "y", "null-a", "a", "a-1", "a".repeat(48)])("X-03 accepts the name %s", async (name) => {
  expect((await template(`name: ${name}`)).name).toBe(name);
});

it.each([
  ["012", "must be text, not a whole number"],
  ["1e3", "must be text, not a number with a fraction or exponent"],
  ["null", "must be text, not empty"],
  ["true", "must be text, not true"],
  ["", "must be text, not empty"],
  ["2026-01-01", "must be a template name"],
  ["Tpl", "must be a template name"],
  ["tpl_a", "must be a template name"],
  ["tpl-", "must be a template name"],
  ["-tpl", "must be a template name"],
  ["1tpl", "must be a template name"],
  ["tpl-ä", "must be a template name"],
  ["../tpl", "must be a template name"],
  ['"tpl\\n"', "must be a template name"],
  ["a".repeat(49), "must be a template name"],
])("X-03 refuses the name %s", async (name, says) => {
  expect(await messageFor(template(`name: ${name}`))).toContain(`: name ${says}`);
});

it.each([
  ["", "1:1: name is missing"],
  ["name: a\nimage: x\nparent: b", "2:1: image does not go together with parent"],
  ["name: a\nparent: a", "2:9: parent must be another template than this one"],
  ["name: a\nname: b", '2:1: the file has the key "name" twice (first in line 1)'],
  ["name: a\npackage: [x]", "2:1: package is not a known key; did you mean packages?"],
  ["name: a\nremove_packages: [x]", "2:1: remove_packages is not a known key; did you mean remove-packages?"],
  ["name: a\nimage: docker://x", "2:8: image must be the alias of a local image"],
  ["name: a\npackages: [-y]", '2:12: packages[0] must not start with "-"'],
  ["name: a\npackages: [a b]", "2:12: packages[0] must not contain spaces"],
  ["name: a\npackages: x", "2:11: packages must be a list, not text"],
  ["name: a\nrepos: [{url: http://x/y}]", "2:15: repos[0].url must be an https:// address"],
  ["name: a\nrepos: [{url: 'https:x'}]", "2:15: repos[0].url must be an https:// address"],
  [
    "name: a\nrepos: [{url: 'https://me:pw@x/y'}]",
    "2:15: repos[0].url must not contain a user name or password",
  ],
  ["name: a\nrepos: [{url: 'ext::sh -c x'}]", "2:15: repos[0].url must be an https:// address"],
  [
    "name: a\nrepos: [{url: https://x/y, branch: --upload-pack=x}]",
    '2:36: repos[0].branch must not start with "-"',
  ],
  ["name: a\nrepos: [{path: /x}]", "2:9: repos[0].url is missing"],
  ["name: a\nrepos: [{url: https://x/y, path: ../x}]", "2:34: repos[0].path must be an absolute path"],
  ["name: a\nrepos: [{url: https://x/y, path: ~/../../etc}]", '2:34: repos[0].path must not contain ".."'],
  ["name: a\nenv: {A-B: x}", "2:7: env.A-B must be a variable name"],
  ["name: a\nenv: {A: 1}", "2:10: env.A must be text, not a whole number"],
  [
    "name: a\nfiles: [{path: /x, content: y, mode: 0644}]",
    '2:38: files[0].mode must be octal digits in quotes, such as "0644"',
  ],
  ["name: a\nfiles: [{path: /x, content: y, mode: '0984'}]", "2:38: files[0].mode must be octal digits"],
  [
    "name: a\nfiles: [{path: /x, content: y, owner: me}]",
    '2:39: files[0].owner must be "root" or "agentuser"',
  ],
  ["name: a\nrun: echo", "2:6: run must be a list, not text"],
  ["name: a\nworkdir: work", "2:10: workdir must be an absolute path or one that starts with ~/"],
  ["name: a\naccounts: {gitlab: x}", "2:12: accounts.gitlab must be one of claude, github, openai, gemini"],
  ["name: a\nnetwork: off", '2:10: network must be "full" or "proxy-only" or "airgap", not "off"'],
  ["name: a\nnetwork: airgaped", '(did you mean "airgap"?)'],
  ["name: a\nresources: {cpu: 0}", "2:18: resources.cpu must be a whole number from 1 to 4096, not 0"],
  ["name: a\nresources: {cpu: 1.5}", "2:18: resources.cpu must be a whole number"],
  ["name: a\nresources: {memory: 4G}", "2:21: resources.memory must be a size such as 512MiB or 4GiB"],
  ["name: a\ncoordinator: {control-over: [A]}", "2:30: coordinator.control-over[0] must be a template name"],
  [
    "name: a\ncoordinator: {isx-control-capability: yes}",
    "2:39: coordinator.isx-control-capability must be true or false, not text",
  ],
])("X-03 C-10 refuses the template %j", async (text, says) => {
  expect(await messageFor(template(text))).toContain(says);
});

it("X-05 reads every key of a recipe", async () => {
  const digest = "0123456789abcdef".repeat(4);
  const text = `
name: claude
description: Claude Code
requires: [node]
packages: [curl]
downloads:
  - {url: https://example.org/claude.tar.gz, sha256: ${digest}, to: /opt/claude, extract: true}
run: [ln -s /opt/claude/bin/claude /usr/local/bin/claude]
run-as-user: [claude --version]
files: [{path: ~/.claude.json, content: "{}"}]
env: {DISABLE_AUTOUPDATER: "1"}
verify: claude --version
domains: [api.anthropic.com]
agent: {name: claude, delegate: true}
`;
  expect(await recipe(text)).toEqual({
    name: "claude",
    description: "Claude Code",
    requires: ["node"],
    packages: ["curl"],
    downloads: [
      { url: "https://example.org/claude.tar.gz", sha256: digest, to: "/opt/claude", extract: true },
    ],
    run: ["ln -s /opt/claude/bin/claude /usr/local/bin/claude"],
    runAsUser: ["claude --version"],
    files: [{ path: "~/.claude.json", content: "{}" }],
    env: { DISABLE_AUTOUPDATER: "1" },
    verify: "claude --version",
    domains: ["api.anthropic.com"],
    agent: { name: "claude", delegate: true },
  });
  expect(await recipe("name: maven-3")).toEqual({ name: "maven-3" });
});

it.each([
  ["description: x", "1:1: name is missing"],
  ["name: a\ndownloads: [{url: https://x/y, to: /z}]", "2:13: downloads[0].sha256 is missing"],
  [
    "name: a\ndownloads: [{url: https://x/y, to: /z, sha256: abc}]",
    "downloads[0].sha256 must be 64 lower-case hex",
  ],
  [
    "name: a\ndownloads: [{url: https://x/y, to: ~/z, sha256: abc}]",
    "downloads[0].to must be an absolute path",
  ],
  ["name: a\ndomains: [https://x]", "2:11: domains[0] must be a host name"],
  ["name: a\nagent: {name: x}", "2:1: agent.delegate is missing"],
  ["name: a\nagent: {name: x, delegate: yes}", "2:28: agent.delegate must be true or false, not text"],
  ["name: a\nrun_as_user: [x]", "2:1: run_as_user is not a known key; did you mean run-as-user?"],
])("X-05 C-10 refuses the recipe %j", async (text, says) => {
  expect(await messageFor(recipe(text))).toContain(says);
});
