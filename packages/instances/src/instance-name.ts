import type { Random } from "@agent-control/base";

/**
 * A name for a new instance, `mcp-<template without tpl->-<hint>-<5 random of a-z2-7>`: at most 63 characters of
 * `[a-z0-9-]`, not one of `taken`. Any hint will do: it is lower-cased, what no name may hold becomes `-`, and an
 * empty rest is left out. A long template name is cut.
 */
export function instanceName(
  template: string,
  hint: string | undefined,
  options: { readonly random: Random; readonly taken: ReadonlySet<string> },
): string {
  const named = namePart(hint ?? "", longestHint);
  const room = longestName - prefix.length - suffixLength - 2 - (named === "" ? 0 : named.length + 1);
  const base = namePart(template.replace(/^tpl-/, ""), room);
  const parts = [prefix, base, named].filter((part) => part !== "");
  for (;;) {
    const name = [...parts, suffix(options.random)].join("-");
    if (!options.taken.has(name)) return name;
  }
}

/** True for what Incus takes as an instance's name; anything else needs no asking. */
export function isInstanceName(name: string): boolean {
  return /^[a-zA-Z][a-zA-Z0-9-]{0,62}$/.test(name) && !name.endsWith("-");
}

const prefix = "mcp";
const longestName = 63;
const longestHint = 16;
const suffixLength = 5;
const suffixLetters = "abcdefghijklmnopqrstuvwxyz234567";

function namePart(text: string, room: number): string {
  const valid = text.toLowerCase().replace(/[^a-z0-9]/g, "-");
  return valid.replace(/^-+/, "").slice(0, room).replace(/-+$/, "");
}

function suffix(random: Random): string {
  return [...random.bytes(suffixLength)].map((byte) => suffixLetters.charAt(byte & 31)).join("");
}
