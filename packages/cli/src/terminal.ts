import { allowsColour } from "./colour.ts";

/** What is known of the screen the answer goes to. */
export interface Terminal {
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Width of stdout as it is now; Infinity when it is not a terminal. */
  readonly columns: number;
  readonly stderrColumns: number;
  /** Whether stdout may carry colours. */
  readonly colour: boolean;
  /** Whether stderr may be redrawn in place. */
  readonly redraws: boolean;
}

interface Streams {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: { readonly isTTY?: boolean; readonly columns?: number };
}

const usualColumns = 80;

/** Looks at the streams and at NO_COLOR, FORCE_COLOR and TERM. */
export function describeTerminal({ env, stdout, stderr }: Streams): Terminal {
  const stdoutIsTerminal = stdout.isTTY === true;
  const stderrIsTerminal = stderr.isTTY === true;
  return {
    stdoutIsTerminal,
    stderrIsTerminal,
    get columns() {
      return columnsOf(stdout);
    },
    get stderrColumns() {
      return columnsOf(stderr);
    },
    colour: allowsColour(env, stdoutIsTerminal),
    redraws: stderrIsTerminal && env["TERM"] !== "dumb",
  };
}

function columnsOf({ isTTY, columns }: { readonly isTTY?: boolean; readonly columns?: number }): number {
  // Some pseudo-terminals say 0.
  return isTTY ? columns || usualColumns : Number.POSITIVE_INFINITY;
}
