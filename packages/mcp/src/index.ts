export type { CatalogueEntry, ObjectSchema } from "./catalogue-entry.ts";
export type { ServerFacts } from "./front.ts";
export { type OwnedProcess, ownProcess } from "./own-process.ts";
export { lineReply } from "./reply.ts";
export { type ServeOptions, serveStdio } from "./serve-stdio.ts";
export type { Annotations, AnyTool, Call, FailureReply, Gate, Tool } from "./tool.ts";
