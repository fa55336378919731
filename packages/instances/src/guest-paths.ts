import type { TemplateDefinition, TemplateRepo } from "@agent-control/policy";

export const agentHome = "/home/agentuser";

/** A path of a definition as an absolute one of the guest. */
export function guestPath(path: string): string {
  return path === "~" || path.startsWith("~/") ? `${agentHome}${path.slice(1)}` : path;
}

/** Where a repository is cloned to: its `path`, else a directory of its own name in the home directory. */
export function repoPath({ url, path }: TemplateRepo): string {
  if (path !== undefined) return guestPath(path);
  const name = new URL(url).pathname
    .split("/")
    .filter(Boolean)
    .at(-1)
    ?.replace(/\.git$/, "");
  return `${agentHome}/${name === undefined || name === "" ? "repo" : name}`;
}

/** Where a person or an agent starts to work: the template's `workdir`, else its first repository, else home. */
export function workdirOf({ workdir, repos }: TemplateDefinition): string {
  if (workdir !== undefined) return guestPath(workdir);
  const first = repos?.[0];
  return first === undefined ? agentHome : repoPath(first);
}
