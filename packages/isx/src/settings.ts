import { Failure, type Files, shownText } from "@agent-control/base";
import {
  createConfigReader,
  type IsxConfig,
  type McpSettings,
  parseIsxConfig,
  parseMcpSettings,
} from "@agent-control/policy";
import { catalogue } from "./catalogue.ts";
import type { Places } from "./places.ts";

/** Both files as they were at one moment; each throws why it cannot be used. */
export interface SettingsNow {
  readonly settings: () => McpSettings;
  readonly config: () => IsxConfig;
}

/** What a person writes, read afresh each time. */
export interface SettingsReader {
  /** Never rejects. */
  read(): Promise<SettingsNow>;
  /** False when mcp.yaml certainly names no host tools; costs no parser. Throws when the file cannot be read. */
  mayHaveHostTools(): boolean;
}

export function createSettingsReader(files: Files, places: Places, home: string): SettingsReader {
  const { mcpFile, configFile } = places;
  const mcp = createConfigReader({
    files,
    path: mcpFile,
    parse: (bytes, path) => parseMcpSettings(bytes, path, reservedNames),
  });
  const config = createConfigReader({
    files,
    path: configFile,
    parse: (bytes, path) => parseIsxConfig(bytes, path, home),
  });
  return {
    async read() {
      const [settings, configuration] = await Promise.all([outcomeOf(mcp.read()), outcomeOf(config.read())]);
      const isMissing = files.look(mcpFile) === undefined;
      return {
        config: configuration,
        settings() {
          if (isMissing && configuration().hasMcpSection) throw sectionInTheWay(places);
          return settings();
        },
      };
    },
    mayHaveHostTools() {
      const path = files.realPath(mcpFile);
      const text = Buffer.from((path && files.read(path, largestFile)) ?? "").toString();
      // A key may also be written with escapes.
      return text.includes("host-tools") || text.includes("\\");
    },
  };
}

const largestFile = 1024 * 1024;

// Tools that a later release adds must not collide with what a person named today.
const reservedNames = [
  ...catalogue.map(({ name }) => name),
  "delegate",
  "send_message",
  "get_diff",
  "instance_activity",
];

/** The promise's result, to be asked for later. */
async function outcomeOf<T>(promise: Promise<T>): Promise<() => T> {
  return promise.then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );
}

function sectionInTheWay({ mcpFile, configFile }: Places): Failure {
  return new Failure("refused", {
    code: "mcp-section-in-config",
    message: `${shownText(configFile)} still has an mcp: section and there is no ${shownText(mcpFile)}`,
    next: "Ask the person to move that section's contents, un-indented, into mcp.yaml and to drop the mcp: line",
  });
}
