import * as z from "zod";

export const instanceArgument = z.string().min(1).max(63).describe("Name of one of your instances.");
export const taskArgument = z.string().min(1).max(40).describe("A task_id that exec returned.");
export const offsetArgument = z
  .int()
  .min(0)
  .default(0)
  .describe("Entries to skip, to read on after a truncated answer. Default 0.");

const word = /^[^\p{Cc}\p{Zl}\p{Zp}]*$/u;

/** Arguments of what makes an instance. */
export const makingArguments = {
  name_hint: z
    .string()
    .max(200)
    .optional()
    .describe("Short word for the name, such as 870-impl: letters, digits, dashes; 16 are kept."),
  purpose: z
    .string()
    .max(200)
    .regex(word, "must be one line without control characters")
    .optional()
    .describe("What it is for, shown to the person: one line, at most 200 characters."),
};

export const taskKind = z.enum(["command", "agent"]);
export const taskState = z.enum(["running", "finished", "attached", "lost", "unknown"]);
