import { incusContract } from "./contract.ts";
import { describeWithIncus } from "./real-incus.ts";

describeWithIncus("a real Incus", (bench) => {
  incusContract(bench);
});
