import { Failure, type Files } from "@agent-control/base";

/** The program as other programs are told to start it. */
export interface StableProgram {
  /** Absolute: Node.js and this program's script. */
  readonly argv: readonly string[];
  /** Whether the path may be gone soon: a copy that npx, `pnpm dlx`, bunx or `yarn dlx` made. */
  readonly isTemporary: boolean;
}

/**
 * Where this program will still be found tomorrow: the link that npm puts on PATH stays as it is, and pnpm's folder of
 * one version gives way to its folder of the package.
 */
export function stableProgram(files: Files, program: readonly string[]): StableProgram {
  const [node = "", script = ""] = program;
  if (!script.startsWith("/")) {
    throw new Failure("error", {
      code: "program-unknown",
      message: `This program does not know its own path (${JSON.stringify(script)})`,
      next: "Run it by its name or its absolute path",
    });
  }
  const lasting = lastingPath(files, script);
  return { argv: [node, lasting], isTemporary: temporaryFolders.test(lasting) };
}

const temporaryFolders = /\/(?:_npx|dlx-[^/]*|dlx|bunx-[^/]*|xfs-[^/]*)\//;

function lastingPath(files: Files, script: string): string {
  const match = /^(.*)\/\.pnpm\/[^/]+\/node_modules\/(.*)$/.exec(script);
  if (!match) return script;
  const [, folder = "", inside = ""] = match;
  const candidates = [`${folder}/${inside}`, `${folder}/node_modules/${inside}`];
  const real = files.realPath(script);
  return candidates.find((path) => files.realPath(path) === real) ?? script;
}
