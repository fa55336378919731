#!/usr/bin/env node
import { parseArgs } from "node:util";
import { type FakeModelOptions, startFakeModel } from "./server.ts";

const help = `Usage: fake-model [--port PORT] [--log FILE] [--bodies DIRECTORY]

Starts a scripted model on 127.0.0.1, prints its URL and runs until it is interrupted.
  --port PORT         default: a free port
  --log FILE          append one JSON line per request
  --bodies DIRECTORY  keep every request's whole body
  --help              print this text`;

try {
  const options = readOptions();
  if (options === undefined) console.log(help);
  else await run(options);
} catch (error) {
  console.error(`${error instanceof Error ? error.message : error}\n\n${help}`);
  process.exitCode = 2;
}

/** The options of the command line; undefined when help is asked for. Throws when they cannot be read. */
function readOptions(): FakeModelOptions | undefined {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "0" },
      log: { type: "string" },
      bodies: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  return {
    port: Number(values.port),
    ...(values.log === undefined ? {} : { logFile: values.log }),
    ...(values.bodies === undefined ? {} : { bodiesDirectory: values.bodies }),
  };
}

async function run(options: FakeModelOptions): Promise<void> {
  const model = await startFakeModel(options);
  console.log(model.url);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void model.close());
}
