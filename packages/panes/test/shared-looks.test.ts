import { Failure } from "@agent-control/base";
import { expect, it } from "vitest";
import { withSharedLooks } from "../src/index.ts";
import { paneBench } from "./bench.ts";

/** Shared looks over a multiplexer whose screens end when told; `asked` counts them. */
async function slowScreens() {
  const bench = await paneBench();
  const ends: ((broken?: Failure) => void)[] = [];
  const { multiplexer } = bench.portsWith({
    screen: async (pane) => {
      const broken = await new Promise<Failure | undefined>((resolve) => ends.push(resolve));
      if (broken) throw broken;
      return bench.multiplexer.screen(pane);
    },
  });
  const shared = withSharedLooks(multiplexer);
  const firstLine = async () => (await shared.screen(bench.pane))?.lines[0];
  return { ...bench, firstLine, asked: () => ends.length, end: (broken?: Failure) => ends.at(-1)?.(broken) };
}

const broken = new Failure("unavailable", { code: "broken", message: "Broken", next: "Wait" });

it("shows everyone who asks during a look the next one, which sees what happened before they asked", async () => {
  const { firstLine, asked, end, show } = await slowScreens();
  show(["before"]);
  const first = firstLine();
  const crowd = Array.from({ length: 50 }, firstLine);
  expect(asked()).toBe(1);
  end();
  expect(await first).toBe("before");
  show(["after"]);
  await Promise.resolve();
  expect(asked()).toBe(2);
  end();
  expect(new Set(await Promise.all(crowd))).toEqual(new Set(["after"]));
});

it("looks anew for who asks later, and a look that failed fails only those that shared it", async () => {
  const { firstLine, asked, end, show } = await slowScreens();
  show(["here"]);
  const first = firstLine();
  const second = firstLine();
  end(broken);
  await expect(first).rejects.toBe(broken);
  end();
  expect(await second).toBe("here");
  const third = firstLine();
  expect(asked()).toBe(3);
  end();
  expect(await third).toBe("here");
});
