import { createMachine } from "@agent-control/system";

/** The real ports of this machine. */
export const machine = createMachine({
  onError: (failure) => {
    throw failure;
  },
});
