import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const ids = /\b[TSXC]-\d+\b/g;

it("lists in docs/requirements.md exactly the requirements that test titles carry", () => {
  expect([...listed()].sort()).toEqual([...cited()].sort());
});

it("gives each listed requirement one sentence", () => {
  for (const line of requirementLines()) expect(line).toMatch(/^- [TSXC]-\d+ \S.*[.]$/);
});

function requirementLines(): string[] {
  const text = readFileSync(`${root}docs/requirements.md`, "utf8");
  return text.split("\n").filter((line) => line.startsWith("- "));
}

function listed(): Set<string> {
  return new Set(requirementLines().flatMap((line) => line.match(/^- ([TSXC]-\d+)/)?.[1] ?? []));
}

function cited(): Set<string> {
  const files = execFileSync("git", ["-C", root, "ls-files", "-co", "--exclude-standard", "*.test.ts"], {
    encoding: "utf8",
  });
  const texts = files
    .split("\n")
    .filter(Boolean)
    .map((file) => readFileSync(`${root}${file}`, "utf8"));
  const titles = texts.flatMap((text) =>
    [
      ...text.matchAll(/\b(?:it|test|describe)(?:\.\w+(?:\([^()]*\))?)*\(\s*(["'`])((?:\\.|(?!\1).)*)\1/gs),
    ].map((match) => match[2] ?? ""),
  );
  return new Set(titles.flatMap((title) => title.match(ids) ?? []));
}
