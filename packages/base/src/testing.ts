export { type FakeClock, type FakeClockOptions, fakeClock } from "./fake-clock.ts";
export { type FakeProcess, type FakeProcessTable, fakeProcessTable } from "./fake-process-table.ts";
export { fakeRandom } from "./fake-random.ts";
export { type ManualWatch, manualWatch } from "./manual-watch.ts";
export { type MemoryFiles, memoryFiles } from "./memory-files.ts";
export { type MemoryLocks, memoryLocks } from "./memory-locks.ts";
export { type Script, type ScriptedProcesses, scriptedProcesses } from "./scripted-processes.ts";
