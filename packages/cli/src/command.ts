import type { Interaction } from "./interaction.ts";
import type { Table } from "./table.ts";

/** A word a verb takes by position. Shown in help as its name in capitals. */
export interface Argument {
  readonly name: string;
  readonly summary: string;
  readonly optional?: boolean;
  /** Takes all words that are left; only for the last argument. */
  readonly repeated?: boolean;
  readonly choices?: readonly string[];
  /** Completed with file names. */
  readonly path?: boolean;
}

interface NamedFlag {
  /** Kebab-case, without dashes. */
  readonly name: string;
  /** One letter for `-x`. */
  readonly short?: string;
  readonly summary: string;
}

/** False unless given. */
export interface BooleanFlag extends NamedFlag {
  readonly type: "boolean";
}

export interface StringFlag extends NamedFlag {
  readonly type: "string";
  /** What help calls the value, e.g. `NAME`. */
  readonly value: string;
  readonly default?: string;
  /** May be given several times; the values come as an array, [] when it is not given. */
  readonly repeated?: boolean;
  /** Completed with file names. */
  readonly path?: boolean;
}

/** A whole number, or a decimal one with `decimals`. */
export interface NumberFlag extends NamedFlag {
  readonly type: "number";
  /** What help calls the value, with its unit, e.g. `SECONDS`. */
  readonly value: string;
  readonly min: number;
  readonly max: number;
  readonly decimals?: boolean;
  readonly default?: number;
}

export interface ChoiceFlag extends NamedFlag {
  readonly type: "choice";
  readonly choices: readonly string[];
  readonly default?: string;
}

export type Flag = BooleanFlag | StringFlag | NumberFlag | ChoiceFlag;

/** What `--help`, completion and the man page know of a verb besides its name and summary. */
export interface CommandShape {
  /** Paragraphs separated by an empty line. */
  readonly description?: string;
  readonly arguments: readonly Argument[];
  readonly flags: readonly Flag[];
  /** One command line that works, e.g. `tongs-agents wait k3f --until idle`. */
  readonly example: string;
  /** True for a verb that writes to stdout by itself (`mcp`, `monitor`); it then has no `--json`. */
  readonly ownsStdout?: boolean;
}

/** What a verb answers: the same facts for programs and for people. */
export interface Answer {
  /** Printed with `--json` as one document; fields are only ever added. */
  readonly json: object;
  /** A string is printed as it is, line by line; in every form control characters are shown escaped. */
  readonly human: Table | readonly string[] | string;
  /** 0 when left out. */
  readonly exitCode?: number;
}

/** One call of a verb: what was typed, and the ways to talk to who typed it. */
export interface Invocation<Arguments = ArgumentValues, Flags = FlagValues> extends Interaction {
  readonly arguments: Arguments;
  readonly flags: Flags;
}

export type ArgumentValues = Readonly<Record<string, string | readonly string[] | undefined>>;
export type FlagValues = Readonly<Record<string, boolean | string | number | readonly string[] | undefined>>;

/** A verb. `Ports` is what the program hands to every verb. */
export interface Command<Ports> extends CommandShape {
  /** Throws a Failure when it could not do what was asked. */
  run(invocation: Invocation, ports: Ports): Promise<Answer | undefined>;
  /** Values to offer on TAB for the argument or flag with this name; must be quick. */
  suggest?(name: string, ports: Ports): Promise<readonly string[]>;
}

/** A verb in the list of a program; `load` is only called when the verb itself is needed. */
export interface Listing<Ports> {
  /** One or more words, e.g. `audit verify`. */
  readonly name: string;
  /** One line without a full stop. */
  readonly summary: string;
  /** Left out of help, completion and the man page. */
  readonly hidden?: boolean;
  load(): Promise<Command<Ports>>;
}

/** A program as data. */
export interface Program<Ports> {
  readonly name: string;
  readonly version: string;
  /** One line without a full stop. */
  readonly summary: string;
  readonly commands: readonly Listing<Ports>[];
  /** Made once, only when a verb runs. */
  ports(): Ports | Promise<Ports>;
}

/**
 * A verb whose `run` sees its arguments and flags with their own types. Annotate the ports:
 * `run: async ({ flags }, ports: Ports) => …`.
 */
export function defineCommand<
  Ports,
  const Arguments extends readonly Argument[],
  const Flags extends readonly Flag[],
>(
  command: Omit<CommandShape, "arguments" | "flags"> & {
    readonly arguments: Arguments;
    readonly flags: Flags;
    run(
      invocation: Invocation<TypedArguments<Arguments>, TypedFlags<Flags>>,
      ports: Ports,
    ): Promise<Answer | undefined>;
    suggest?(name: string, ports: Ports): Promise<readonly string[]>;
  },
): Command<Ports> {
  return command;
}

type TypedArguments<Arguments extends readonly Argument[]> = {
  readonly [One in Arguments[number] as One["name"]]: One extends { repeated: true }
    ? readonly string[]
    : Word<One> | (One extends { optional: true } ? undefined : never);
};

type TypedFlags<Flags extends readonly Flag[]> = {
  readonly [One in Flags[number] as One["name"]]: One extends { repeated: true }
    ? readonly string[]
    : FlagValue<One> | (One extends { type: "boolean" } | { default: unknown } ? never : undefined);
};

type FlagValue<One extends Flag> = One extends { type: "boolean" }
  ? boolean
  : One extends { type: "number" }
    ? number
    : Word<One>;

type Word<One> = One extends { choices: readonly (infer Choice extends string)[] } ? Choice : string;
