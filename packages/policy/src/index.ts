export { approveTemplates } from "./approve-templates.ts";
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
export type { GuestFileText } from "./guest-file.ts";
export { type IsxConfig, parseIsxConfig } from "./isx-config.ts";
export { type HostTool, type McpSettings, parseMcpSettings } from "./mcp-settings.ts";
export { type ProfileRole, profileOptedIn } from "./profile-rule.ts";
export {
  createRateWindow,
  type RateKind,
  type RateWindow,
  type RateWindowParts,
  type Reservation,
} from "./rate-window.ts";
export { parseRecipeDefinition, type RecipeDefinition, type RecipeDownload } from "./recipe-definition.ts";
export {
  type NetworkMode,
  parseTemplateDefinition,
  type TemplateDefinition,
  type TemplateRepo,
  type TemplateResources,
} from "./template-definition.ts";
export { findProfile, parseTongsConfig, type TongsConfig } from "./tongs-config.ts";
export type { Profile } from "./tongs-profile.ts";
export { placeInYaml } from "./yaml-place.ts";
