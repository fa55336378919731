import type { Annotations } from "./tool.ts";

/** A JSON Schema 2020-12 of one object. */
export type ObjectSchema = Readonly<Record<string, unknown>>;

/** One tool as `tools/list` shows it, made at build time and checked in. */
export interface CatalogueEntry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: Annotations;
}
