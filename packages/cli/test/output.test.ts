import { once } from "node:events";
import { expect, it } from "vitest";
import { builtFleet } from "./built-fleet.ts";

const fleet = builtFleet();

it.each([65_535, 65_536, 65_537, 5_000_000])(
  "C-02 %i bytes arrive whole through a slow pipe",
  async (bytes) => {
    const { stdout, stderr } = await fleet.shell(`fleet print ${bytes} | (sleep 0.2; wc -c)`);
    expect(stderr).toBe("");
    expect(stdout.trim()).toBe(String(bytes));
  },
);

it("C-02 ends quietly when the reader goes away, with all earlier output written", async () => {
  const { stdout, stderr } = await fleet.shell(
    `fleet print 5000000 | head -c 70000 | wc -c; echo "exit \${PIPESTATUS[0]}"`,
  );
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^\s*70000\nexit 0\n$/);
});

it("C-02 still says on stderr why a verb failed when nobody reads stdout", async () => {
  const { stdout, stderr } = await fleet.shell(
    '(trap "" PIPE; fleet fail refused --json; echo "exit $?" >&2) | true; wait',
  );
  expect(stdout).toBe("");
  expect(stderr).toContain("is not yours");
  expect(stderr).toContain("exit 5");
});

it("keeps the exit code when nobody reads stderr", async () => {
  const { stdout } = await fleet.shell('{ fleet fail bug 2>&1 >/dev/null; echo "exit $?" >&3; } 3>&1 | cat');
  expect(stdout).toContain("exit 1");
});

it("says that the answer could not be written to a full disk", async () => {
  const { stderr, exitCode } = await fleet.shell("fleet print 10 --json >/dev/full");
  expect(exitCode).toBe(1);
  expect(stderr).toMatch(/^fleet: The answer could not be written to standard output \(ENOSPC\)\. .*\n$/);
});

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "C-04 a verb stopped by %s ends its progress and exits 130",
  async (name) => {
    const child = fleet.start(["hang"], { stdio: ["ignore", "ignore", "pipe"] });
    const stderr = await untilSaid(child.stderr, "ready");
    child.kill(name);
    const [exitCode] = await once(child, "close");
    expect(exitCode).toBe(130);
    expect(stderr()).toBe(
      [
        "fleet: Waiting…",
        "fleet: Waiting: for a signal",
        "fleet: ready",
        "fleet: The call was cancelled. Call again if the answer is still wanted.",
        "",
      ].join("\n"),
    );
  },
);

it("a second signal, also another one, ends a verb that does not stop", async () => {
  const child = fleet.start(["stubborn"], { stdio: ["ignore", "ignore", "pipe"] });
  await untilSaid(child.stderr, "ready");
  child.kill("SIGINT");
  await untilSaid(child.stderr, "not now");
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([null, "SIGTERM"]);
});

async function untilSaid(stream: NodeJS.ReadableStream | null, words: string): Promise<() => string> {
  let text = "";
  await new Promise<void>((resolve) => {
    stream?.on("data", (chunk) => {
      text += chunk;
      if (text.includes(words)) resolve();
    });
  });
  return () => text;
}
