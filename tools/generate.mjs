// Writes the checked-in tool catalogues of the apps from their tools' schemas. `--check` only compares.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const apps = [
  { name: "tongs-agents", tools: "[...fleetTools, ...controlTools]", imports: "fleetTools, controlTools" },
  { name: "isx", tools: "tools", imports: "tools" },
];

for (const app of apps) {
  const path = `${root}packages/${app.name}/src/catalogue.json`;
  const text = `${JSON.stringify(await catalogueOf(app), null, 2)}\n`;
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    console.error(`packages/${app.name}/src/catalogue.json is out of date: run pnpm generate`);
    process.exitCode = 1;
  }
}

async function catalogueOf(app) {
  const directory = mkdtempSync(join(tmpdir(), "agent-control-catalogue-"));
  try {
    await bundle(app, directory);
    return (await import(pathToFileURL(join(directory, "stdin.mjs")).href)).catalogue;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

// Split, as the app itself is: in one file the lazily loaded SDK would make the schema library lazy too.
async function bundle(app, outdir) {
  const contents = `
    import { renderCatalogue } from "./packages/mcp/src/catalogue.ts";
    import { ${app.imports} } from "./packages/${app.name}/src/tools.ts";
    export const catalogue = renderCatalogue(${app.tools});`;
  await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    conditions: ["@agent-control/source"],
    banner: { js: 'import{createRequire as c}from"node:module";const require=c(import.meta.url);' },
  });
}
