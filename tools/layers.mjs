// The floors of the house and who may import whom. A package may only import floors below its own,
// and of those only the packages named here. Read by tools/check-layers.mjs.
export const floors = [
  ["base"],
  ["policy", "audit", "channel"],
  ["system", "multiplexer", "incus", "harness", "activity"],
  ["cli", "mcp", "panes"],
  ["fleet", "instances"],
  ["tongs-agents", "isx"],
];

export const mayImport = {
  base: [],
  policy: ["base"],
  audit: ["base"],
  channel: ["base"],
  system: ["base"],
  incus: ["base"],
  multiplexer: ["base"],
  harness: ["base"],
  activity: ["base"],
  cli: ["base"],
  mcp: ["base", "audit"],
  panes: ["base", "multiplexer", "harness", "activity"],
  fleet: ["base", "policy", "multiplexer", "harness", "activity", "panes"],
  instances: ["base", "policy", "incus"],
  "tongs-agents": [
    "base",
    "policy",
    "audit",
    "system",
    "multiplexer",
    "harness",
    "activity",
    "cli",
    "mcp",
    "panes",
    "fleet",
  ],
  isx: ["base", "policy", "audit", "system", "incus", "harness", "cli", "mcp", "instances"],
};

// Modules with an effect on the machine, and the only packages whose src may import them.
export const effects = {
  "node:fs": ["system"],
  "node:fs/promises": ["system"],
  "node:child_process": ["system"],
  execa: ["system"],
  "node:net": [],
  "node:http": ["incus"],
  ws: ["incus"],
  tweetnacl: ["channel"],
  "@modelcontextprotocol/server": ["mcp"],
};

// The one file of a package that may import the module.
export const onlyFile = {
  "@modelcontextprotocol/server": "packages/mcp/src/sdk.ts",
};
