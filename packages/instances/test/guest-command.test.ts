import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeCommand } from "../src/guest-command.ts";

const refused = (message: string) =>
  expect.objectContaining({
    outcome: "refused",
    code: "command-unusable",
    message: expect.stringContaining(message),
  });

function refusal(call: () => unknown): unknown {
  try {
    return call();
  } catch (error) {
    return error;
  }
}

it("X-16 carries directory, environment and command unchanged, whatever they hold", () => {
  const text = fc.string({ unit: "binary" }).filter((value) => !value.includes("\0"));
  const name = fc.stringMatching(/^[A-HJ-Z_][A-Za-z0-9_]*$/).filter((value) => value.length < 100);
  fc.assert(
    fc.property(
      text.filter((value) => value.trim() !== ""),
      text,
      fc.dictionary(name, text),
      (command, cwd, env) => {
        fc.pre(!/^(BASHOPTS|BASH_VERSINFO|EUID|PPID|SHELLOPTS|UID)$/m.test(Object.keys(env).join("\n")));
        const fields = encodeCommand({ command, cwd, env }).toString().split("\0");
        const pairs = Object.entries(env).map(([key, value]) => `${key}=${value}`);
        const directory = cwd.startsWith("/") ? cwd : `/home/agentuser/${cwd}`;
        expect(fields).toEqual([directory, ...pairs, "", command, ""]);
      },
    ),
  );
});

it.for([
  [{ command: "a\0b" }, "The command holds a NUL"],
  [{ command: " \n" }, "The command is empty"],
  [{ command: "x".repeat(1024 * 1024 + 1) }, "The command is longer than 1048576 bytes"],
  [{ command: "true", cwd: "/a\0b" }, "The working directory holds a NUL"],
  [{ command: "true", cwd: "/".repeat(5000) }, "The working directory is longer"],
  [{ command: "true", env: { "A B": "x" } }, '"A B" is not the name'],
  [{ command: "true", env: { "1A": "x" } }, '"1A" is not the name'],
  [{ command: "true", env: { "": "x" } }, '"" is not the name'],
  [{ command: "true", env: { "A[$(id)]": "x" } }, "is not the name"],
  [{ command: "true", env: { A: "x\0" } }, "A holds a NUL"],
  [{ command: "true", env: { A: "x".repeat(131_072) } }, "A is longer than 131071 bytes"],
  [{ command: "true", env: { UID: "0" } }, "UID cannot be set"],
  [{ command: "true", env: { ISX_UNIT: "x" } }, "ISX_UNIT cannot be set"],
] as const)("X-16 refuses what could not arrive: %j", ([command, message]) => {
  expect(refusal(() => encodeCommand(command))).toEqual(refused(message));
});

it("X-16 refuses an environment that is too large in all", () => {
  const env = Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`V${n}`, "x".repeat(130_000)]));
  expect(refusal(() => encodeCommand({ command: "true", env }))).toEqual(refused("exceed 2 MiB"));
});
