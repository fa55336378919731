// What the demonstrations share: an MCP client of a few lines over two streams, and printing what goes over it.

/** JSON-RPC, one message a line: requests go to `output`, their answers come from `input`. */
export function createClient(input, output) {
  const waiting = new Map();
  let rest = "";
  let lastId = 0;
  input.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const answer of lines.map((line) => JSON.parse(line)))
      waiting.get(answer.id)?.(answer.result ?? answer.error);
  });
  const request = (method, params) => {
    lastId += 1;
    const id = lastId;
    output.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  };
  return {
    open: () =>
      request("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "demo", version: "1" },
      }),
    /** Calls a tool and prints both ways; resolves to its structured result. */
    async call(name, args = {}) {
      console.log(`\n→ ${name} ${JSON.stringify(args)}`);
      const { structuredContent, content } = await request("tools/call", { name, arguments: args });
      console.log(`← ${JSON.stringify(structuredContent ?? content)}`);
      return structuredContent;
    },
    close: () => output.end(),
  };
}

export function say(line) {
  console.log(`\n${line}`);
}
