// Writes the checked-in tool catalogues of the apps from their tools' schemas. `--check` only compares.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const apps = [
  { name: "tongs-agents", tools: "[...fleetTools, ...controlTools]", imports: "fleetTools, controlTools" },
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
  const contents = `
    import { renderCatalogue } from "./packages/mcp/src/catalogue.ts";
    import { ${app.imports} } from "./packages/${app.name}/src/tools.ts";
    export const catalogue = renderCatalogue(${app.tools});`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: root, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    conditions: ["@agent-control/source"],
    banner: { js: 'import{createRequire as c}from"node:module";const require=c("file:///");' },
    write: false,
  });
  const { catalogue } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString("base64")}`
  );
  return catalogue;
}
