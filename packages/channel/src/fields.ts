/** Fields one after the other, each its length (u32, big endian) and its bytes. */
export function writeFields(fields: readonly Uint8Array[]): Uint8Array {
  const size = fields.reduce((sum, field) => sum + 4 + field.length, 0);
  const bytes = new Uint8Array(size);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const field of fields) {
    view.setUint32(at, field.length);
    bytes.set(field, at + 4);
    at += 4 + field.length;
  }
  return bytes;
}

/** The fields that `bytes` is made of, to its last byte; undefined when it is not made of fields. */
export function readFields(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const fields: Uint8Array[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 4 > bytes.length) return undefined;
    const end = at + 4 + view.getUint32(at);
    if (end > bytes.length) return undefined;
    fields.push(bytes.subarray(at + 4, end));
    at = end;
  }
  return fields;
}

export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Undefined for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export function u32(value: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

/** A whole number from 0 to 2^53 - 1 in eight bytes, big endian. */
export function u64(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

/** Undefined for a field of another length or a number above 2^53 - 1. */
export function numberOf(bytes: Uint8Array): number | undefined {
  if (bytes.length !== 8) return undefined;
  const value = new DataView(bytes.buffer, bytes.byteOffset, 8).getBigUint64(0);
  return value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : undefined;
}

export function concatenated(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

export function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index]);
}
