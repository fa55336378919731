import { describe } from "vitest";
import { harnesses } from "../src/index.ts";
import { harnessContract } from "./harness-contract.ts";

describe.each(Object.values(harnesses))("T-21 T-25 $title", harnessContract);
