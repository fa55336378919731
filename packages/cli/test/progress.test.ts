import { expect, it } from "vitest";
import type { Output } from "../src/output.ts";
import { withProgress } from "../src/progress.ts";
import type { Terminal } from "../src/terminal.ts";
import { wideRuler } from "../src/wide-ruler.ts";

const wipe = "\r\u001b[K";

interface Written {
  readonly texts: string[];
  readonly output: Output;
  /** Resolves at the first text that contains `part`. */
  until(part: string): Promise<void>;
}

function recorded(): Written {
  const texts: string[] = [];
  let look = () => {};
  const record = async (text: string) => {
    texts.push(text);
    look();
  };
  return {
    texts,
    output: {
      answer: async (text) => record(text).then(() => true),
      note: (text) => record(`${text}\n`),
      diagnose: record,
    },
    until: (part) =>
      new Promise((resolve) => {
        look = () => {
          if (texts.some((text) => text.includes(part))) resolve();
        };
        look();
      }),
  };
}

function terminal(redraws: boolean, stderrColumns = 80): Terminal {
  return {
    stdoutIsTerminal: false,
    stderrIsTerminal: redraws,
    columns: 80,
    stderrColumns,
    colour: false,
    redraws,
  };
}

const signal = new AbortController().signal;

it("C-04 spins on a terminal with the step and the elapsed time, and wipes the line at the end", async () => {
  const { texts, output, until } = recorded();
  let now = 0;
  const surroundings = { output, terminal: terminal(true), signal, clock: { monotonic: () => now } };
  const answer = await withProgress("Building image", surroundings, async (step) => {
    now = 61_000;
    step("copying");
    await until("copying");
    return 7;
  });
  expect(answer).toBe(7);
  expect(texts[0]).toBe(`${wipe}| Building image 0 s`);
  expect(texts[1]).toBe(`${wipe}/ Building image: copying 1 min 1 s`);
  expect(texts.at(-1)).toBe(wipe);
});

it("C-04 never writes into the last column", async () => {
  const { texts, output } = recorded();
  const surroundings = { output, terminal: terminal(true, 20), signal, clock: { monotonic: () => 0 } };
  await withProgress("x".repeat(50), surroundings, async () => {});
  expect(wideRuler.width(texts[0]?.replace(wipe, "") ?? "")).toBe(19);
});

it("C-04 prints lines where stderr is no terminal", async () => {
  const { texts, output } = recorded();
  const surroundings = { output, terminal: terminal(false), signal, clock: { monotonic: () => 0 } };
  await withProgress("Building image", surroundings, async (step) => step("copying"));
  expect(texts).toEqual(["Building image…\n", "Building image: copying\n"]);
});

it("C-04 wipes the line as soon as the signal fires and draws nothing after it", async () => {
  const { texts, output } = recorded();
  const abort = new AbortController();
  const surroundings = {
    output,
    terminal: terminal(true),
    signal: abort.signal,
    clock: { monotonic: () => 0 },
  };
  await withProgress("Waiting", surroundings, async () => {
    abort.abort();
    expect(texts.at(-1)).toBe(wipe);
  });
  expect(texts).toEqual([`${wipe}| Waiting 0 s`, wipe]);
});

it("C-04 wipes the line when the work fails", async () => {
  const { texts, output } = recorded();
  const surroundings = { output, terminal: terminal(true), signal, clock: { monotonic: () => 0 } };
  const failing = withProgress("Waiting", surroundings, () => Promise.reject(new Error("no")));
  await expect(failing).rejects.toThrow("no");
  expect(texts.at(-1)).toBe(wipe);
});
