import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseMessage } from "../src/message.ts";

const read = (text: string) => parseMessage(Buffer.from(text));

it("reads requests, notifications and answers, also after a BOM and before a CR", () => {
  const request = { jsonrpc: "2.0", id: 0, method: "ping" };
  expect(read(JSON.stringify(request))).toEqual(request);
  expect(read(`\ufeff${JSON.stringify(request)}\r`)).toEqual(request);
  expect(read('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toHaveProperty("method");
  expect(read('{"jsonrpc":"2.0","id":"a","result":{}}')).toHaveProperty("result");
});

it("takes a blank line for nothing", () => {
  for (const blank of ["", "\r", "  "]) expect(read(blank)).toBe("empty");
});

it.each([
  ["garbage", "it is not JSON"],
  ["\0", "it is not JSON"],
  ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', "it is a JSON-RPC batch, which MCP does not have"],
  ["null", "it is not a JSON-RPC 2.0 message"],
  ['{"id":1,"method":"ping"}', "it is not a JSON-RPC 2.0 message"],
  ['{"jsonrpc":"2.0","id":null,"method":"ping"}', "it is not a JSON-RPC 2.0 message"],
  ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', "it is not a JSON-RPC 2.0 message"],
  ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', "it is not a JSON-RPC 2.0 message"],
  ['{"jsonrpc":"2.0","id":1}', "it is not a JSON-RPC 2.0 message"],
])("C-24 says what is wrong with %j", (line, problem) => {
  expect(read(line)).toEqual({ problem });
});

it("C-24 refuses bytes that are not UTF-8 instead of guessing", () => {
  expect(parseMessage(Buffer.from([0x22, 0xff, 0x22]))).toEqual({ problem: "it is not UTF-8" });
});

it("C-24 never throws, whatever the bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => void parseMessage(bytes)));
  fc.assert(fc.property(fc.json(), (json) => void read(json)));
});
