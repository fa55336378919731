import { expect, it } from "vitest";
import { fakeMultiplexer } from "../src/testing.ts";
import { type Bench, multiplexerContract } from "./multiplexer-contract.ts";

multiplexerContract(startFakeBench);

async function startFakeBench(): Promise<Bench> {
  const fake = fakeMultiplexer();
  const socket = "/run/fake.sock";
  const fields = { "in-mode": "inMode", "input-off": "inputOff", synchronized: "synchronized" } as const;
  return {
    multiplexer: fake,
    impatient: fake,
    socket,
    idle: ["sleep", "1000"],
    reader: ["reader", "ready"],
    ready: async (pane) => fake.show(pane, ["ready"]),
    received: async (pane) => fake.received(pane),
    focused: async (session) => fake.focused(session),
    attach: async (attachment) => fake.attach(attachment),
    watchers: async (session) => fake.watchers(session),
    end: async (pane) => fake.end(pane, 3),
    disturb: async (pane, how, on) => fake.change(pane, { [fields[how]]: on }),
    killServer: async () => fake.stop(socket),
    setSilent: async (silent) => fake.setSilent(socket, silent),
    stop: async () => undefined,
  };
}

it("tells only what its capabilities allow", async () => {
  const fake = fakeMultiplexer({
    name: "zellij",
    capabilities: { panePid: false, paneModes: false, bracketedPasteKnown: false },
  });
  const pane = await fake.createSession({ socket: "/s", name: "work", argv: ["a", "b"] });
  fake.change(pane, { inMode: true });
  const [seen] = (await fake.panes(pane.session)) ?? [];
  expect(seen).toMatchObject({ pid: undefined, bracketedPaste: undefined, inMode: false });
});

it("gives a program that did not ask for it no bracketed paste", async () => {
  const fake = fakeMultiplexer();
  const pane = await fake.createSession({ socket: "/s", name: "work", argv: ["a", "b"] });
  fake.change(pane, { bracketedPaste: false });
  const server = await fake.server("/s");
  const [seen] = (await fake.panes(pane.session)) ?? [];
  await fake.paste({ pane, serverPid: server?.pid ?? 0, panePid: seen?.pid }, "a\nb");
  expect(fake.received(pane)).toBe("a\nb");
});
