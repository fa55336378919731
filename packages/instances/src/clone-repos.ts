import { dirname } from "node:path";
import type { TemplateRepo } from "@agent-control/policy";
import type { BuildShell } from "./build-shell.ts";
import { repoPath } from "./guest-paths.ts";

/** Clones the repository as agentuser, one branch of it. */
export async function cloneRepo(shell: BuildShell, repo: TemplateRepo): Promise<void> {
  const path = repoPath(repo);
  const as = "agentuser";
  await shell.run(["/bin/mkdir", "-p", "--", dirname(path)], { as });
  const branch = repo.branch === undefined ? [] : ["--branch", repo.branch];
  await shell.run(["/usr/bin/git", "clone", "--quiet", "--single-branch", ...branch, "--", repo.url, path], {
    as,
    environment: { GIT_TERMINAL_PROMPT: "0" },
  });
}

/** Runs the repository's `prime` command in its clone. */
export async function primeRepo(shell: BuildShell, repo: TemplateRepo): Promise<void> {
  if (repo.prime === undefined) return;
  await shell.script(repo.prime, { as: "agentuser", cwd: repoPath(repo) });
}
