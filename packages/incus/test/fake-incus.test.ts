import { fakeClock } from "@agent-control/base/testing";
import { describe } from "vitest";
import { fakeIncus } from "../src/testing.ts";
import { incusContract } from "./contract.ts";
import { hostProgram } from "./host-program.ts";

let count = 0;
const incus = fakeIncus({ clock: fakeClock(), program: hostProgram });

describe("fakeIncus", () => {
  incusContract({
    incus,
    image: "base",
    name: () => {
      count += 1;
      return `t-${count}`;
    },
  });
});
