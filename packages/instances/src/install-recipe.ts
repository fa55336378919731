import type { GuestFileText, RecipeDefinition, RecipeDownload } from "@agent-control/policy";
import type { BuildShell } from "./build-shell.ts";
import { agentHome, guestPath } from "./guest-paths.ts";

const download = `set -eu
url=$1 sum=$2 to=$3 extract=$4
directory=$(mktemp -d /var/tmp/isx-download.XXXXXX)
trap 'rm -rf "$directory"' EXIT
curl -fsSL --proto '=https' --proto-redir '=https' --retry 3 -o "$directory/file" -- "$url"
printf '%s  %s\\n' "$sum" "$directory/file" | sha256sum -c --quiet -
if [ "$extract" = yes ]; then
  mkdir -p -- "$to"
  tar -x --no-same-owner -f "$directory/file" -C "$to"
else
  mkdir -p -- "$(dirname -- "$to")"
  install -m 0755 -- "$directory/file" "$to"
fi
`;

/** Fetches a file whose hash is known; the guest does it itself. */
async function fetchDownload(shell: BuildShell, { url, sha256, to, extract }: RecipeDownload): Promise<void> {
  await shell.run(["/bin/bash", "-c", download, "isx", url, sha256, to, extract ? "yes" : "no"]);
}

const put = `set -eu
mkdir -p -- "$(dirname -- "$1")"
cat > "$1.isx-new"
chmod -- "$2" "$1.isx-new"
mv -T -- "$1.isx-new" "$1"
`;

/** Writes a text file of a template or recipe, as the user whom it belongs to. */
export async function putFile(
  shell: BuildShell,
  { path, content, owner, mode }: GuestFileText,
): Promise<void> {
  const target = guestPath(path);
  const isBelowHome = target.startsWith(`${agentHome}/`);
  const as = owner ?? (isBelowHome ? "agentuser" : "root");
  const bits = (mode ?? 0o644).toString(8);
  await shell.run(["/bin/bash", "-c", put, "isx", target, bits], { as, stdin: content });
}

/** Everything of a recipe but its packages, its environment and its check, which are done for all recipes together. */
export async function installRecipe(shell: BuildShell, recipe: RecipeDefinition): Promise<void> {
  for (const each of recipe.downloads ?? []) await fetchDownload(shell, each);
  for (const command of recipe.run ?? []) await shell.script(command);
  for (const file of recipe.files ?? []) await putFile(shell, file);
  for (const command of recipe.runAsUser ?? []) await shell.script(command, { as: "agentuser" });
}
