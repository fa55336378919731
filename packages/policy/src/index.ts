export type { Profile, TongsConfig } from "./tongs-config.ts";
