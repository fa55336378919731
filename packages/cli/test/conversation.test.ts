import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { createConversation } from "../src/conversation.ts";

function talk() {
  const input = new PassThrough();
  const asked: string[] = [];
  const abort = new AbortController();
  const output = { diagnose: async (text: string) => void asked.push(text) };
  const conversation = createConversation({ input, output, signal: abort.signal });
  return { input, asked, abort, conversation };
}

it("answers each question with the next line, typed before or after it is asked", async () => {
  const { input, asked, conversation } = talk();
  input.write("one\ntwo\r\n");
  expect(await conversation.ask("first? ")).toBe("one");
  expect(await conversation.ask("second? ")).toBe("two");
  const third = conversation.ask("third? ");
  input.write("thr");
  input.write("ee\n");
  expect(await third).toBe("three");
  expect(asked).toEqual(["first? ", "second? ", "third? "]);
  conversation.close();
});

it("answers undefined once the input has ended, after what was typed", async () => {
  const { input, conversation } = talk();
  input.end("last");
  expect(await conversation.ask("? ")).toBe("last");
  expect(await conversation.ask("? ")).toBeUndefined();
  expect(await conversation.ask("? ")).toBeUndefined();
});

it("stops waiting when the signal fires", async () => {
  const { abort, conversation } = talk();
  const answer = conversation.ask("? ");
  abort.abort();
  await expect(answer).rejects.toMatchObject({ outcome: "cancelled" });
  conversation.close();
});
