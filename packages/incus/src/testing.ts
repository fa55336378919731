export type { Away, FakeCall, FakeCalls, Interceptor } from "./fake-calls.ts";
export type { FakeProgram, FakeRun } from "./fake-exec.ts";
export { type FakeIncus, type FakeIncusOptions, fakeIncus } from "./fake-incus.ts";
