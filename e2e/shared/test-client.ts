import type { Readable, Writable } from "node:stream";

export interface ToolReply {
  readonly isError?: boolean;
  readonly structuredContent?: Record<string, unknown>;
  readonly content: readonly { readonly type: string; readonly text: string }[];
}

/** A raw JSON-RPC client over one stdio connection: it sees exactly what the server writes. */
export interface TestClient {
  initialize(): Promise<Record<string, unknown>>;
  toolNames(): Promise<string[]>;
  /** Calls a tool; resolves to the reply's structuredContent. */
  call(tool: string, args: object): Promise<Record<string, unknown>>;
  /** Calls a tool; resolves to the whole result. */
  callRaw(tool: string, args: object): Promise<ToolReply>;
  /** Starts a call that can be cancelled. */
  start(
    tool: string,
    args: object,
    meta?: object,
  ): { readonly id: number; readonly reply: Promise<ToolReply> };
  cancel(id: number): void;
  request(method: string, params: object): Promise<unknown>;
  /** Every line that was not an answer to a request. */
  readonly notifications: Record<string, unknown>[];
  /** Every id that was answered. */
  readonly answered: Set<number>;
  /** Resolves when the server closed its output. */
  readonly closed: Promise<void>;
  close(): void;
}

interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: unknown;
}

export function createTestClient(ends: {
  readonly input: Readable;
  readonly output: Writable;
  readonly close: () => void;
}): TestClient {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  const notifications: Record<string, unknown>[] = [];
  const answered = new Set<number>();
  let lastId = 0;
  let rest = "";
  ends.input.setEncoding("utf8");
  ends.input.on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) receive(JSON.parse(line) as Answer);
  });
  ends.output.on("error", () => {}); // Told by `closed`.
  const closed = new Promise<void>((resolve) => {
    const end = () => {
      for (const { reject } of waiting.values()) reject(new Error("the server closed the connection"));
      waiting.clear();
      resolve();
    };
    ends.input.on("end", end);
    ends.input.on("close", end);
    ends.input.on("error", end);
  });

  function receive(answer: Answer): void {
    if (answer.id === undefined || answer.method !== undefined) {
      notifications.push(answer as Record<string, unknown>);
      return;
    }
    answered.add(answer.id);
    const call = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (answer.error) call?.reject(new Error(JSON.stringify(answer.error)));
    else call?.resolve(answer.result);
  }

  const write = (message: object) => ends.output.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  const send = (method: string, params: object) => {
    lastId += 1;
    const id = lastId;
    const reply = new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject }));
    write({ id, method, params });
    return { id, reply };
  };
  const client: TestClient = {
    async initialize() {
      const result = await client.request("initialize", {
        protocolVersion: "2025-06-18",
        capabilities: {},
        clientInfo: { name: "e2e", version: "1" },
      });
      write({ method: "notifications/initialized" });
      return result as Record<string, unknown>;
    },
    async toolNames() {
      const { tools } = (await client.request("tools/list", {})) as { tools: { name: string }[] };
      return tools.map(({ name }) => name);
    },
    call: async (tool, args) => (await client.callRaw(tool, args)).structuredContent ?? {},
    callRaw: (tool, args) => client.start(tool, args).reply,
    start(tool, args, meta) {
      const { id, reply } = send("tools/call", {
        name: tool,
        arguments: args,
        ...(meta ? { _meta: meta } : {}),
      });
      return { id, reply: reply as Promise<ToolReply> };
    },
    cancel: (id) => void write({ method: "notifications/cancelled", params: { requestId: id } }),
    request: (method, params) => send(method, params).reply,
    notifications,
    answered,
    closed,
    close: ends.close,
  };
  return client;
}
