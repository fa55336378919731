/** A JSON-RPC 2.0 message as it stands on the wire; fields beyond these belong to whoever reads them. */
export interface Message {
  readonly jsonrpc: "2.0";
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A message that wants an answer. */
export interface Request extends Message {
  readonly id: string | number;
  readonly method: string;
}

/** Reads one line: the message, "empty", or one sentence saying why it is no MCP message. */
export function parseMessage(line: Uint8Array): Message | "empty" | { readonly problem: string } {
  let value: unknown;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(line).trim();
    if (text === "") return "empty";
    value = JSON.parse(text);
  } catch (error) {
    return { problem: error instanceof SyntaxError ? "it is not JSON" : "it is not UTF-8" };
  }
  if (Array.isArray(value)) return { problem: "it is a JSON-RPC batch, which MCP does not have" };
  return isMessage(value) ? value : { problem: "it is not a JSON-RPC 2.0 message" };
}

export function isRequest(message: Message): message is Request {
  return message.method !== undefined && message.id !== undefined;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isMessage(value: unknown): value is Message {
  if (!isRecord(value) || value["jsonrpc"] !== "2.0") return false;
  const { id, method, params } = value;
  if (id !== undefined && typeof id !== "string" && !Number.isSafeInteger(id)) return false;
  if (params !== undefined && !isRecord(params)) return false;
  if (method === undefined) return id !== undefined && ("result" in value || "error" in value);
  return typeof method === "string";
}
