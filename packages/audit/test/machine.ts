import { createMachine } from "../../system/src/index.ts";

/** The real ports of this machine. */
export const machine = createMachine({
  onError: (failure) => {
    throw failure;
  },
});
