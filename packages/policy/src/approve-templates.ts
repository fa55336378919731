/**
 * The bytes of an `mcp.yaml` with exactly these templates approved: what stays keeps its place and its comment, new
 * ones come last, the rest of the file stays byte for byte. Throws `config-invalid` for a file that is not YAML, and
 * the Failure `refused`, code `edit-impossible`, when the list is written in a way that cannot be edited safely.
 */
export async function approveTemplates(
  bytes: Uint8Array,
  path: string,
  names: readonly string[],
): Promise<Uint8Array> {
  const { editedTemplates } = await import("./edited-templates.ts");
  return editedTemplates(bytes, path, names);
}
