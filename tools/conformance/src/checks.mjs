// What is run, and what counts as passed.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

// The scenarios that need no tools of the suite's own; see `conformance list --server`.
const generic = {
  "2025-11-25": ["server-initialize", "ping", "tools-list"],
  "2026-07-28": [
    "tools-list",
    "sep-2164-resource-not-found",
    "input-required-result-unsupported-methods",
    "input-required-result-ignore-extra-params",
    "input-required-result-validate-input",
    "input-required-result-missing-input-response",
  ],
};
const inspectorEras = { "2025-11-25": "legacy", "2026-07-28": "modern" };

/** `{ era, name, run({ node, url, command }) }`, where `run` resolves with `{ ok, summary, output }`. */
export const checks = Object.entries(generic).flatMap(([era, scenarios]) => [
  ...scenarios.map((name) => ({ era, name, run: (target) => runScenario(era, name, target) })),
  { era, name: "inspector opens", run: (target) => runInspector(era, "initialize", target) },
  { era, name: "inspector strict lint", run: (target) => runInspector(era, "tools/list", target) },
]);

async function runScenario(era, name, { node, url }) {
  const args = ["server", "--url", url, "--scenario", name, "--spec-version", era];
  const { code, output } = await run(node, [
    bin("@modelcontextprotocol/conformance", "dist/index.js"),
    ...args,
  ]);
  const summary = /^Passed: (\d+)\/(\d+), (\d+) failed.*$/m.exec(output);
  const [line = "no result", passed = "0", total = "?", failures = "?"] = summary ?? [];
  // A scenario that checked nothing has proved nothing.
  const ok = code === 0 && failures === "0" && passed === total && passed !== "0";
  return { ok, summary: line, output };
}

async function runInspector(era, method, { node, command }) {
  const launcher = bin("@modelcontextprotocol/inspector", "clients/launcher/build/index.js");
  const strict = method === "tools/list" ? ["--strict"] : [];
  const options = ["--cli", ...strict, "--format", "json", "--protocol-era", inspectorEras[era]];
  const { code, output, stdout } = await run(node, [launcher, ...options, ...command, "--method", method]);
  if (code !== 0) return { ok: false, summary: `exit code ${code}`, output };
  const { result, schemaFindings = [] } = JSON.parse(stdout);
  if (method === "tools/list") {
    return { ok: schemaFindings.length === 0, summary: `${schemaFindings.length} findings`, output };
  }
  return { ok: result.protocolVersion === era, summary: result.protocolVersion, output };
}

// Neither package lets its package.json or its program be resolved by name.
function bin(name, path) {
  return fileURLToPath(new URL(`../node_modules/${name}/${path}`, import.meta.url));
}

function run(file, args) {
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let output = "";
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, output }));
  });
}
