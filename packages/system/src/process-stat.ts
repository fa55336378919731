export interface ProcessStat {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
  /** Clock ticks since boot. */
  readonly start: string;
  readonly zombie: boolean;
}

/** The fields of a /proc/PID/stat line that we use; the name in it may hold spaces and parentheses. Source: proc(5). */
export function parseStat(line: string): ProcessStat {
  const nameStart = line.indexOf("(");
  const nameEnd = line.lastIndexOf(")");
  // Fields 3 (state), 4 (parent) and 22 (start) of the line.
  const fields = line.slice(nameEnd + 2).split(" ");
  return {
    pid: Number(line.slice(0, nameStart)),
    name: line.slice(nameStart + 1, nameEnd),
    parent: Number(fields[1]),
    start: fields[19] ?? "",
    zombie: fields[0] === "Z" || fields[0] === "X" || fields[0] === "x",
  };
}
