export type {
  Acted,
  Attachment,
  Capabilities,
  Multiplexer,
  Obstacle,
  OpenRequest,
  PaneRef,
  PaneSeen,
  Screen,
  ServerSeen,
  SessionRef,
  Target,
} from "./multiplexer.ts";
export { isSafeSocket } from "./safe-socket.ts";
export { findSession } from "./session-name.ts";
export { createTmux, type TmuxPorts } from "./tmux.ts";
export { tmuxSocket } from "./tmux-socket.ts";
