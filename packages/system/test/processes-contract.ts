import type { Command, Processes } from "@agent-control/base";
import { describe, expect, it } from "vitest";
import { failureOf } from "./failures.ts";

export interface ProcessesUnderTest {
  readonly processes: Processes;
  /** The pid of a process that runs. */
  readonly runningPid: number;
  /** The pid of a process that has ended. */
  readonly endedPid: number;
}

/** The shell programs that the contract runs; a fake has to play exactly these. */
export const programs = {
  twoStreams: "printf out; printf err >&2",
  exits7: "exit 7",
  killsItself: "kill -9 $$",
  hangs: "exec sleep 60",
  printsMuch: "head -c 200000 /dev/zero | tr '\\0' x; printf end >&2",
} as const;

/** What every implementation of the Processes port does. */
export function processesContract(name: string, make: () => ProcessesUnderTest): void {
  const shell = (program: keyof typeof programs, more: Partial<Command> = {}) =>
    make().processes.run({ ...command("sh", ["-c", programs[program]]), ...more });

  describe(name, () => {
    it("answers exit code 0 and both streams", async () => {
      expect(await shell("twoStreams")).toEqual({
        exitCode: 0,
        signalName: undefined,
        stdout: "out",
        stderr: "err",
        timedOut: false,
        truncated: false,
      });
    });

    it("answers another exit code and a signal as values", async () => {
      expect(await shell("exits7")).toMatchObject({ exitCode: 7, signalName: undefined });
      expect(await shell("killsItself")).toMatchObject({ exitCode: undefined, signalName: "SIGKILL" });
    });

    it("kills at the time-out", async () => {
      const started = performance.now();
      const end = await shell("hangs", { timeoutMs: 100 });
      expect(end).toMatchObject({ timedOut: true, exitCode: undefined, signalName: "SIGKILL" });
      expect(performance.now() - started).toBeLessThan(5_000);
    });

    it("keeps only so many bytes of each stream and reads the rest away", async () => {
      const end = await shell("printsMuch", { maxOutputBytes: 1_000 });
      expect(end).toMatchObject({ exitCode: 0, stdout: "x".repeat(1_000), stderr: "end", truncated: true });
      expect((await shell("twoStreams", { maxOutputBytes: 3 })).truncated).toBe(false);
    });

    it("throws program-missing with the program's name", async () => {
      const failure = await failureOf(() => make().processes.run(command("no-such-program-here", [])));
      expect(failure).toMatchObject({ outcome: "error", code: "program-missing" });
      expect(failure.message).toContain("no-such-program-here");
    });

    it("throws the cancelled Failure when the signal fires or has fired", async () => {
      const stop = new AbortController();
      const running = failureOf(() => shell("hangs", { signal: stop.signal }));
      setTimeout(() => stop.abort(), 50);
      expect((await running).outcome).toBe("cancelled");
      expect((await failureOf(() => shell("hangs", { signal: stop.signal }))).outcome).toBe("cancelled");
    });

    it("runs a program on its own streams to its end, or until the signal fires", async () => {
      const onTerminal = (program: keyof typeof programs, signal?: AbortSignal) =>
        make().processes.runOnTerminal({
          file: "sh",
          args: ["-c", programs[program]],
          ...(signal ? { signal } : {}),
        });
      expect(await onTerminal("exits7")).toEqual({ exitCode: 7, signalName: undefined });
      expect(await onTerminal("killsItself")).toEqual({ exitCode: undefined, signalName: "SIGKILL" });
      const missing = { file: "no-such-program-here", args: [] };
      expect((await failureOf(() => make().processes.runOnTerminal(missing))).code).toBe("program-missing");
      const stop = new AbortController();
      const running = failureOf(() => onTerminal("hangs", stop.signal));
      setTimeout(() => stop.abort(), 50);
      expect((await running).outcome).toBe("cancelled");
      expect((await failureOf(() => onTerminal("hangs", stop.signal))).outcome).toBe("cancelled");
    });

    it("signals a process, and says when there is none", () => {
      const { processes, runningPid, endedPid } = make();
      expect(processes.signal(runningPid, "SIGTERM")).toBe(true);
      expect(processes.signal(endedPid, "SIGTERM")).toBe(false);
    });
  });
}

export function command(file: string, args: readonly string[]): Command {
  return { file, args, timeoutMs: 10_000, maxOutputBytes: 100_000 };
}
