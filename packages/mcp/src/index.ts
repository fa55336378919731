export type { CatalogueEntry, ObjectSchema } from "./catalogue-entry.ts";
export { type OwnedProcess, type OwnProcessOptions, ownProcess } from "./own-process.ts";
export type { Prompt } from "./prompt.ts";
export { lineReply } from "./reply.ts";
export { type ServeOptions, serveStdio } from "./serve-stdio.ts";
export type { ServerFacts } from "./server-facts.ts";
export type { Annotations, AnyTool, Call, FailureReply, Gate, Tool } from "./tool.ts";
