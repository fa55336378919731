export type { Tone } from "./colour.ts";
export {
  type Answer,
  type Argument,
  type BooleanFlag,
  type ChoiceFlag,
  type Command,
  type CommandShape,
  defineCommand,
  type Flag,
  type Invocation,
  type Listing,
  type NumberFlag,
  type Program,
  type StringFlag,
} from "./command.ts";
export { type Check, doctorAnswer, type Finding, findingsOf, type Level } from "./doctor.ts";
export type { Host, Interaction } from "./interaction.ts";
export { runProgram } from "./program.ts";
export type { ProgressBody } from "./progress.ts";
export { renderJson } from "./render-answer.ts";
export type { StandardInput } from "./standard-input.ts";
export type { Cell, Column, Table } from "./table.ts";
export type { Terminal } from "./terminal.ts";
