import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { renderManPage } from "../src/man-page.ts";
import { verbsOf } from "../src/verbs.ts";
import { fleetProgram } from "./fixtures/fleet.ts";
import { runFleet } from "./run-fleet.ts";

const program = fleetProgram();
const groffMissing = spawnSync("groff", ["--version"]).error !== undefined;
if (groffMissing) console.warn("skipped: groff is not installed here");

function typeset(page: string) {
  return spawnSync("groff", ["-man", "-Tutf8", "-Kutf8", "-ww", "-P-cbou"], {
    input: page,
    encoding: "utf8",
  });
}

it.skipIf(groffMissing)(
  "C-03 the manual page is sound roff and names every verb, flag and exit code",
  async () => {
    const { stdout, stderr, status } = typeset((await runFleet(["man-page"])).stdout);
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    expect(stdout).toContain("fleet - Run agents");
    expect(stdout).toContain("fleet wait ID [flags]");
    expect(stdout).toMatch(/--until idle\|exited\n +What to wait for \(default idle\)/);
    expect(stdout).toMatch(/130 +cancelled/);
    expect(stdout).not.toMatch(/secret|__complete/);
  },
);

it.skipIf(groffMissing)("C-03 text that roff would act on is printed as it is", async () => {
  const hostile = ".TH 'quoted' \\fBbold\\fP \"two\" ~tilde ^hat `tick` -dash é漢";
  const [listing] = program.commands;
  const page = await renderManPage(
    program,
    verbsOf({ ...program, commands: listing ? [{ ...listing, summary: hostile }] : [] }),
  );
  const { stdout, stderr } = typeset(page);
  expect(stderr).toBe("");
  expect(stdout.replace(/\s+/g, " ")).toContain(`${hostile}.`);
});
