// Stands in for `@modelcontextprotocol/server/_shims` in bundles (see bundle.ts): the same without ajv.
import process from "node:process";

export { process };

/** Never made: `sdk.ts` passes a validator of its own. */
export function DefaultJsonSchemaValidator(): never {
  throw new Error("This bundle has no JSON Schema validator");
}
