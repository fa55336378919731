/** The four bytes of a dotted address as one number. */
export function ipv4Number(address: string): number {
  return Buffer.from(address.split(".").map(Number)).readUInt32BE();
}

/** The dotted address of a number. */
export function ipv4Text(address: number): string {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(address);
  return [...bytes].join(".");
}

/** The mask of a prefix of 1 to 32 bits. */
export function prefixMask(prefix: number): number {
  return (0xffffffff << (32 - prefix)) >>> 0;
}
