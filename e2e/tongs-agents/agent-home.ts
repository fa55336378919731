import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { claude } from "./claude-world.ts";
import { createWorld, type Ran, type World } from "./world.ts";

/** A world whose PATH holds agent CLIs: the real Claude Code, and programs that do nothing in the place of the others. */
export interface AgentHome extends World {
  /** Path below HOME. */
  path(name: string): string;
  /** Writes a file below HOME. */
  write(name: string, text: string): void;
  read(name: string): string;
  /** Every file below HOME with its bytes, Claude Code's own logs and backups left out; links as such. */
  tree(): Record<string, string>;
  /** Runs a verb with --json; the answer and the exit code. */
  ask(...words: readonly string[]): Promise<{ readonly code: number; readonly answer: SetupAnswer } & Ran>;
}

export interface SetupAnswer {
  readonly ok: boolean;
  readonly program: readonly string[];
  readonly agents: readonly {
    readonly agent: string;
    readonly ok: boolean;
    readonly error?: string;
    readonly notes: readonly string[];
    readonly steps: readonly { readonly what: string; readonly state: string; readonly path: string }[];
  }[];
}

/** `agents` are the CLIs on PATH; `name` is the name of HOME. */
export function createAgentHome(agents: readonly string[], name = "world"): AgentHome {
  const world = createWorld(name);
  const home = world.env["HOME"] ?? "";
  const programs = join(world.root, "programs");
  mkdirSync(programs);
  for (const agent of agents) place(join(programs, agent));
  world.env["PATH"] = `${programs}:${dirname(process.execPath)}:/usr/bin:/bin`;
  world.env["CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC"] = "1";
  world.env["DISABLE_AUTOUPDATER"] = "1";
  const path = (file: string) => join(home, file);
  return {
    ...world,
    path,
    write(file, text) {
      mkdirSync(dirname(path(file)), { recursive: true });
      writeFileSync(path(file), text);
    },
    read: (file) => readFileSync(path(file), "utf8"),
    tree: () => Object.fromEntries(filesBelow(home, "")),
    async ask(...words) {
      const ran = await world.cli([...words, "--json"]);
      return { ...ran, answer: JSON.parse(ran.stdout) as SetupAnswer };
    },
  };
}

function place(program: string): void {
  if (program.endsWith("/claude") && claude) symlinkSync(claude, program);
  else {
    writeFileSync(program, "#!/bin/sh\nexit 0\n");
    chmodSync(program, 0o755);
  }
}

const passing = /^(?:\.claude\.json$|\.claude\/(?!settings)|\.cache\/|tmp\/|state\/)/;

function filesBelow(root: string, below: string): [string, string][] {
  return readdirSync(join(root, below)).flatMap((entry): [string, string][] => {
    const path = join(below, entry);
    const seen = lstatSync(join(root, path));
    if (passing.test(path)) return [];
    if (seen.isDirectory()) return filesBelow(root, path);
    if (seen.isSymbolicLink()) return [[path, "a link"]];
    return [[path, existsSync(join(root, path)) ? readFileSync(join(root, path), "latin1") : ""]];
  });
}
