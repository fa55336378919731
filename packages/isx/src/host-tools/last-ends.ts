import { join } from "node:path";
import { type Clock, Failure, type Files, type ProcessTable, shownText } from "@agent-control/base";

export interface LastEndsParts {
  readonly files: Files;
  readonly clock: Clock;
  readonly processTable: Pick<ProcessTable, "bootId">;
  readonly directory: string;
}

/** When each host tool last ended, in one small file per tool. */
export interface LastEnds {
  /** Seconds since the end of the last run of this boot; undefined when there was none. Throws for a broken file. */
  secondsSince(name: string): number | undefined;
  record(name: string): void;
}

export function createLastEnds({ files, clock, processTable, directory }: LastEndsParts): LastEnds {
  const pathOf = (name: string) => join(directory, `${name}.json`);
  return {
    secondsSince(name) {
      const bytes = files.read(pathOf(name), mostBytes);
      if (bytes === undefined) return undefined;
      const [boot, ended] = parseLastEnd(Buffer.from(bytes).toString(), pathOf(name));
      if (boot !== processTable.bootId()) return undefined;
      return Math.max(0, clock.monotonic() - ended) / 1000;
    },
    record(name) {
      files.makeDirectory(directory);
      const end = { boot_id: processTable.bootId(), ended_ms: Math.floor(clock.monotonic()) };
      files.write(pathOf(name), `${JSON.stringify(end)}\n`, { durable: false });
    },
  };
}

const mostBytes = 1024;
const shape = /^\{"boot_id":"([0-9a-f-]{36})","ended_ms":(\d{1,15})\}\n$/;

function parseLastEnd(text: string, path: string): [boot: string, endedMs: number] {
  const [, boot, ended] = shape.exec(text) ?? [];
  if (boot !== undefined && ended !== undefined) return [boot, Number(ended)];
  throw new Failure("refused", {
    code: "host-tool-state-damaged",
    message: `${shownText(path)} does not say when the tool last ran`,
    next: "Ask the person to look at that file and remove it",
  });
}
