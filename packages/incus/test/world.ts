import type { ExecRequest, Incus } from "../src/incus.ts";

/** One implementation of the port under the contract suite. */
export interface World {
  readonly incus: Incus;
  readonly image: string;
  name(): string;
}

/** Runs a program to its end and keeps its output. */
export async function run(incus: Incus, instance: string, request: ExecRequest) {
  const stdout: Uint8Array[] = [];
  const stderr: Uint8Array[] = [];
  const { exitCode } = await incus.exec(instance, {
    onStdout: (chunk) => void stdout.push(chunk),
    onStderr: (chunk) => void stderr.push(chunk),
    ...request,
  });
  return { exitCode, stdout: text(stdout), stderr: text(stderr) };
}

export const sh = (script: string, ...args: string[]) => ["sh", "-c", script, "sh", ...args];

/** Makes an instance of the world's image. */
export async function make({ incus, image, name }: World, request: { readonly start?: boolean } = {}) {
  const made = name();
  await incus.instances.create({ name: made, source: { type: "image", alias: image }, ...request });
  return made;
}

export async function seen(incus: Incus, name: string) {
  const instance = await incus.instances.get(name);
  if (instance === undefined) throw new Error(`${name} is gone`);
  return instance;
}

/** A promise that the test resolves. */
export function deferred() {
  let resolve = () => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

function text(chunks: readonly Uint8Array[]): string {
  return Buffer.concat(chunks).toString();
}
