import type { Files } from "@agent-control/base";
import type { Places } from "@agent-control/fleet";
import {
  type ConfigReader,
  createConfigReader,
  parseTongsConfig,
  type TongsConfig,
} from "@agent-control/policy";

/** Reads config.toml afresh on every call. */
export function configReader(files: Files, places: Places): ConfigReader<TongsConfig> {
  return createConfigReader({ files, path: places.configFile, parse: parseTongsConfig });
}
