#!/usr/bin/env node
import { parseArgs } from "node:util";
import { startFakeModel } from "./server.ts";

const help = `Usage: fake-model [--port PORT] [--log FILE] [--bodies DIRECTORY]

Starts a scripted model on 127.0.0.1, prints its URL and runs until it is interrupted.
  --port PORT         default: a free port
  --log FILE          append one JSON line per request
  --bodies DIRECTORY  keep every request's whole body`;

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    log: { type: "string" },
    bodies: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) {
  console.log(help);
} else {
  const model = await startFakeModel({
    port: Number(values.port),
    ...(values.log === undefined ? {} : { logFile: values.log }),
    ...(values.bodies === undefined ? {} : { bodiesDirectory: values.bodies }),
  });
  console.log(model.url);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void model.close());
}
