import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { serverBundle } from "../bundle.ts";
import { renderCatalogue } from "../src/catalogue.ts";
import { driveServer, type ServerDriver } from "../src/testing.ts";
import { fixtureTools } from "./fixtures/fixture-tools.ts";

export interface BuiltFixture {
  /** The bundle's folder. */
  readonly directory: string;
  start(env?: Record<string, string>): ServerDriver;
  /** Ends the servers that still run and deletes the bundle. */
  remove(): void;
}

/** Bundles the fixture server as an app would be, so that tests drive what people run. */
export async function buildFixture(): Promise<BuiltFixture> {
  const directory = mkdtempSync(join(tmpdir(), "mcp-fixture-"));
  const entry = fileURLToPath(new URL("fixtures/serves-tools.ts", import.meta.url));
  await build({
    ...serverBundle({ serve: entry }, directory),
    config: false,
    silent: true,
    define: { fixtureCatalogue: JSON.stringify(renderCatalogue(fixtureTools)) },
  });
  const started: ServerDriver[] = [];
  return {
    directory,
    start(env = {}) {
      const server = driveServer(spawn(process.execPath, [join(directory, "serve.js")], { env }));
      started.push(server);
      return server;
    },
    remove() {
      for (const server of started) server.process.kill("SIGKILL");
      rmSync(directory, { recursive: true });
    },
  };
}
