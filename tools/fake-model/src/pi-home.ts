import { join } from "node:path";
import { type AgentEnvironment, apiKey, baseEnvironment, type HomeOptions, writeJson } from "./agent-home.ts";
import { installedFile } from "./installed-file.ts";

/**
 * Writes the files with which Pi 0.73 asks only the model at `url`, by Anthropic Messages. Returns the whole
 * environment to run it with. It needs no trust for a directory and speaks no MCP by itself.
 */
export function preparePiHome({ home, url }: HomeOptions): AgentEnvironment {
  const directory = join(home, ".pi", "agent");
  writeJson(join(directory, "models.json"), {
    providers: { fake: { baseUrl: url, api: "anthropic-messages", apiKey, models: [{ id: "fake-model" }] } },
  });
  writeJson(join(directory, "settings.json"), { defaultProvider: "fake", defaultModel: "fake-model" });
  return { ...baseEnvironment(home), PI_OFFLINE: "1", PI_TELEMETRY: "0" };
}

/**
 * The script of Pi, for Node, that the package of `from` depends on. Throws an Error with one sentence when it is not
 * installed there.
 */
export function piScript(from: string | URL): string {
  return installedFile(from, ["@mariozechner/pi-coding-agent"], join("dist", "cli.js"));
}
