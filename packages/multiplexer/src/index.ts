export type {
  Acted,
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
