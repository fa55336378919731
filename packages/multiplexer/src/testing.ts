export { type FakeMultiplexer, fakeMultiplexer } from "./fake-multiplexer.ts";
