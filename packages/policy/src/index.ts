export type { ConfigDocument, KeyPath, Place } from "./config-document.ts";
export { type ConfigReader, type ConfigReaderParts, createConfigReader } from "./config-reader.ts";
export {
  controlEnabled,
  launchVariablePresent,
  mayNest,
  notItself,
  owns,
  type Seat,
  underAgentCap,
} from "./control-rules.ts";
export type { IsxConfig } from "./isx-config.ts";
export type { HostTool, McpSettings } from "./mcp-settings.ts";
export { type ProfileRole, profileOptedIn } from "./profile-rule.ts";
export {
  createRateWindow,
  type RateKind,
  type RateWindow,
  type RateWindowParts,
  type Reservation,
} from "./rate-window.ts";
export type {
  GuestFileText,
  NetworkMode,
  RecipeDefinition,
  RecipeDownload,
  TemplateDefinition,
  TemplateRepo,
  TemplateResources,
} from "./template-definition.ts";
export { findProfile, parseTongsConfig, type TongsConfig } from "./tongs-config.ts";
export type { Profile } from "./tongs-profile.ts";
