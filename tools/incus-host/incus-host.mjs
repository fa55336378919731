#!/usr/bin/env node
// node tools/incus-host/incus-host.mjs up|restart|down [--dir DIR]
// A private Incus for tests, beside and apart from any other. `up` prints the path of its socket; the rest is on stderr.
import { down } from "./src/down.mjs";
import { hostIn } from "./src/host.mjs";
import { restart, up } from "./src/up.mjs";

const usage = "usage: node incus-host.mjs up|restart|down [--dir DIR]   (DIR also from INCUS_HOST_DIR)";
const verbs = { up, restart, down };

try {
  const { verb, dir } = readArguments(process.argv.slice(2));
  const answer = await verbs[verb](hostIn(dir));
  if (answer !== undefined) console.log(answer);
} catch (error) {
  console.error(error.next === undefined ? error : `${error.message}\nNext: ${error.next}`);
  process.exitCode = 1;
}

function readArguments([verb, flag, value, ...rest]) {
  const known = Object.hasOwn(verbs, verb ?? "") && rest.length === 0;
  if (!known || (flag !== undefined && (flag !== "--dir" || !value))) {
    console.error(usage);
    process.exit(2);
  }
  return { verb, dir: value ?? process.env.INCUS_HOST_DIR ?? "/var/tmp/agent-control-incus" };
}
