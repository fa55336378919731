import { request as httpRequest } from "node:http";

interface Answer {
  readonly type: "sync" | "async" | "error";
  readonly error?: string;
  readonly error_code?: number;
  readonly metadata: unknown;
}

export interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Instance {
  readonly name: string;
  readonly status: string;
  readonly config: Record<string, string>;
}

/** Incus as the tests see it: one project over the bare API, with none of the product's code in between. */
export interface IncusRest {
  /** The answer's metadata; undefined when there is no such thing. */
  get(path: string): Promise<unknown>;
  /** Changes something and waits until it is done; throws what Incus says when it says no. */
  send(method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object): Promise<unknown>;
  instances(): Promise<Instance[]>;
  /** Runs a program in a guest, as root. */
  exec(instance: string, command: readonly string[]): Promise<Ended>;
}

export function createIncusRest(socketPath: string, project: string): IncusRest {
  const rest: IncusRest = {
    async get(path) {
      const answer = await json(socketPath, "GET", inProject(path, project));
      return answer.error_code === 404 ? undefined : accepted(answer, path);
    },
    async send(method, path, body) {
      const answer = await json(socketPath, method, inProject(path, project), body);
      const metadata = accepted(answer, `${method} ${path}`);
      if (answer.type !== "async") return metadata;
      const wait = `/1.0/operations/${(metadata as { id: string }).id}/wait?timeout=-1`;
      return accepted(await json(socketPath, "GET", wait), `${method} ${path}`);
    },
    instances: async () => ((await rest.get("/1.0/instances?recursion=1")) ?? []) as Instance[],
    async exec(instance, command) {
      const request = { command, "record-output": true, "wait-for-websocket": false };
      const operation = await rest.send("POST", `/1.0/instances/${instance}/exec`, request);
      const { metadata } = operation as {
        metadata: { return: number; output: Record<"1" | "2", string> };
      };
      const output = (path: string) => bytes(socketPath, "GET", inProject(path, project));
      const [stdout, stderr] = [await output(metadata.output[1]), await output(metadata.output[2])];
      return { code: metadata.return, stdout, stderr };
    },
  };
  return rest;
}

function inProject(path: string, project: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}project=${project}`;
}

/** A failed operation says so in the body of an HTTP 200. */
function accepted({ type, error, error_code, metadata }: Answer, what: string): unknown {
  if (type === "error" || error_code) throw new Error(`Incus refuses ${what}: ${error_code} ${error}`);
  return metadata;
}

async function json(socketPath: string, method: string, path: string, body?: object): Promise<Answer> {
  return JSON.parse(await bytes(socketPath, method, path, body)) as Answer;
}

function bytes(socketPath: string, method: string, path: string, body?: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const call = httpRequest({ socketPath, method, path, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
      });
      response.on("end", () => resolve(text)).on("error", reject);
    });
    call.on("error", reject).end(body && JSON.stringify(body));
  });
}
