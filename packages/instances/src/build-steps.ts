import { Failure } from "@agent-control/base";
import type { BuildShell } from "./build-shell.ts";
import { cloneRepo, primeRepo } from "./clone-repos.ts";
import { agentHome, repoPath, workdirOf } from "./guest-paths.ts";
import { requireGuestPrograms } from "./guest-requirements.ts";
import { installRecipe, putFile } from "./install-recipe.ts";
import { loginEnvironment, renderLoginEnvironment } from "./login-environment.ts";
import type { PackageManager } from "./package-manager.ts";
import { ensureAgentUser } from "./seal-image.ts";
import type { RecipeFound, Template } from "./templates.ts";

export interface BuildWork {
  readonly template: Template;
  /** What the instance was copied from; its packages and recipes are there already. */
  readonly parent: Template | undefined;
  readonly shell: BuildShell;
  readonly manager: PackageManager;
  /** PEM of the proxy's authority, to be trusted by the guest. */
  readonly certificate: string | undefined;
  step(text: string): void;
}

/** Does in a running instance all that the template's own definition says. */
export async function takeBuildSteps(work: BuildWork): Promise<void> {
  const { template, shell, step } = work;
  const own = template.chain.at(-1)?.definition;
  if (!own) throw new Error("A template has a definition");
  const recipes = ownRecipes(work);
  await changePackages(work, recipes);
  await requireGuestPrograms(shell);
  await ensureAgentUser(shell);
  await trustCertificate(work);
  await writeEnvironment(work);
  for (const { recipe } of recipes) {
    step(`tool ${recipe.name}`);
    await named(`The tool ${recipe.name}`, () => installRecipe(shell, recipe));
  }
  for (const file of own.files ?? []) {
    step(`file ${file.path}`);
    await named(`The file ${file.path}`, () => putFile(shell, file));
  }
  await runCommands(work, "run", own.run ?? []);
  await runCommands(work, "run-as-user", own.runAsUser ?? []);
  for (const repo of own.repos ?? []) {
    step(`repository ${repo.url}`);
    await named(`The repository ${repo.url}`, () => cloneRepo(shell, repo));
  }
  for (const repo of own.repos ?? []) await named(`prime in ${repoPath(repo)}`, () => primeRepo(shell, repo));
  await makeWorkdir(work);
  await verify(work);
}

function ownRecipes({ template, parent }: BuildWork): readonly RecipeFound[] {
  const inherited = new Set(parent?.recipes.map(({ recipe }) => recipe.name));
  return template.recipes.filter(({ recipe }) => !inherited.has(recipe.name));
}

async function changePackages(
  { template, shell, manager, step }: BuildWork,
  recipes: readonly RecipeFound[],
) {
  const own = template.chain.at(-1)?.definition;
  const wanted = [own?.packages ?? [], ...recipes.map(({ recipe }) => recipe.packages ?? [])].flat();
  const packages = [...new Set(wanted)];
  const { environment } = manager;
  if (packages.length > 0) {
    step(`packages ${packages.join(" ")}`);
    await named("Installing packages", async () => {
      if (manager.refresh) await shell.run(manager.refresh, { environment });
      await shell.run(manager.install(packages), { environment });
    });
  }
  const unwanted = own?.removePackages ?? [];
  if (unwanted.length === 0) return;
  step(`without packages ${unwanted.join(" ")}`);
  await named("Removing packages", () => shell.run(manager.remove(unwanted), { environment }));
}

async function trustCertificate({ certificate, shell, manager, step }: BuildWork): Promise<void> {
  if (certificate === undefined) return;
  const { path, update } = manager.certificate;
  const { stdout } = await shell.try(["/bin/cat", "--", path]);
  if (stdout === certificate) return;
  step("certificate of the proxy");
  await named("Trusting the proxy", async () => {
    await putFile(shell, { path, content: certificate, owner: "root" });
    await shell.run(update);
  });
}

async function writeEnvironment({ template, shell }: BuildWork): Promise<void> {
  const content = renderLoginEnvironment(loginEnvironment(template));
  await putFile(shell, { path: "/etc/profile.d/isx-env.sh", content, owner: "root" });
}

async function runCommands(
  { shell, step }: BuildWork,
  key: "run" | "run-as-user",
  commands: readonly string[],
): Promise<void> {
  for (const [index, command] of commands.entries()) {
    const what = `${key} ${index + 1} of ${commands.length}`;
    step(what);
    const as = key === "run" ? "root" : "agentuser";
    await named(what, () => shell.script(command, { as }));
  }
}

async function makeWorkdir({ template, shell }: BuildWork): Promise<void> {
  const workdir = workdirOf(template.merged);
  if (workdir === agentHome || workdir.startsWith(`${agentHome}/`)) {
    await shell.run(["/bin/mkdir", "-p", "--", workdir], { as: "agentuser" });
    return;
  }
  const { exitCode } = await shell.try(["/usr/bin/test", "-d", workdir]);
  if (exitCode === 0) return;
  await shell.run(["/usr/bin/install", "-d", "-o", "agentuser", "-g", "agentuser", "--", workdir]);
}

async function verify({ template, shell, step }: BuildWork): Promise<void> {
  for (const { recipe } of template.recipes) {
    const { verify: command, name } = recipe;
    if (command === undefined) continue;
    step(`check of ${name}`);
    await named(`The check of ${name}`, () => shell.script(command, { as: "agentuser" }));
  }
}

/** Says in a failure of the body which part of the template it belongs to. */
async function named<T>(what: string, body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== "build-step-failed") throw error;
    const { outcome, code, next, details, message } = error;
    throw new Failure(outcome, { code, message: `${what}: ${message}`, next, details, cause: error });
  }
}
