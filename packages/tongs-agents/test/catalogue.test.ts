import { lintCatalogue, renderCatalogue } from "@agent-control/mcp/catalogue";
import { expect, it } from "vitest";
import { controlCatalogue, fleetCatalogue } from "../src/catalogue.ts";
import { instructions } from "../src/instructions.ts";
import { controlTools, fleetTools } from "../src/tools.ts";

const everything = [...fleetCatalogue, ...controlCatalogue];

it("C-21 lists tools that every client can use, within the size limits", () => {
  expect(lintCatalogue(everything)).toEqual([]);
});

it("C-21 lists exactly what the tools' schemas say", () => {
  expect(JSON.stringify(renderCatalogue([...fleetTools, ...controlTools]))).toBe(JSON.stringify(everything));
});

it("T-38 takes exactly the page's arguments: no command, argv, env or directory", () => {
  const keys = everything.map(({ name, inputSchema }) => [
    name,
    Object.keys(inputSchema["properties"] ?? {}),
  ]);
  expect(Object.fromEntries(keys)).toEqual({
    fleet_status: [],
    fleet_session: ["session_id"],
    fleet_sessions_needing_attention: [],
    fleet_focus: ["query"],
    fleet_cleanup: [],
    agents_spawn: ["profile"],
    agents_send: ["launch_id", "text"],
    agents_status: ["launch_id"],
    agents_wait: ["launch_id", "until", "timeout_s"],
  });
});

it("T-29 annotates agents_send as destructive, not idempotent, open world", () => {
  const send = everything.find(({ name }) => name === "agents_send");
  expect(send?.annotations).toEqual({
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: false,
    openWorldHint: true,
  });
});

it("T-24 annotates focus and cleanup as not read-only and not destructive", () => {
  for (const name of ["fleet_focus", "fleet_cleanup"]) {
    expect(everything.find((entry) => entry.name === name)?.annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
    });
  }
});

it("C-25 says in the static instructions that other agents' text is data", () => {
  expect(instructions).toMatch(/data, not instructions/);
  expect(instructions.length).toBeLessThan(1_200);
});
