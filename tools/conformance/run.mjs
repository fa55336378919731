// node tools/conformance/run.mjs -- <server command>
// Runs the official conformance suite's generic scenarios and the Inspector's strict lint against a stdio server.
// Prints a table and, as its last line, one JSON object; exits with 1 when something failed.
import { startBridge } from "./src/bridge.mjs";
import { checks } from "./src/checks.mjs";
import { suiteNode } from "./src/suite-node.mjs";

const command = process.argv.slice(process.argv.indexOf("--") + 1);
if (!process.argv.includes("--") || command.length === 0) {
  console.error("usage: node run.mjs -- <server command>, e.g. node run.mjs -- node dist/bin.js mcp");
  process.exit(2);
}

const node = suiteNode();
const bridge = await startBridge(command);
const results = [];
for (const check of checks) {
  const result = await check.run({ node, url: bridge.url, command });
  results.push({ era: check.era, name: check.name, ...result });
  console.log(`${result.ok ? "ok  " : "FAIL"}  ${check.era}  ${check.name.padEnd(46)} ${result.summary}`);
  if (!result.ok) console.log(result.output);
}
await bridge.close();

const failed = results.filter(({ ok }) => !ok).map(({ era, name }) => `${era} ${name}`);
console.log(JSON.stringify({ passed: results.length - failed.length, failed }));
process.exitCode = failed.length === 0 ? 0 : 1;
