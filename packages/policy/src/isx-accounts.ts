import { accountName, line } from "./isx-words.ts";
import { optional, words } from "./optional-shapes.ts";
import type { Shape } from "./shape.ts";
import { namedTable, table } from "./table-shapes.ts";
import { isTable } from "./value-kind.ts";

/** The accounts that a template pins, by namespace. */
export const templateAccounts = namedTable(
  () => words(accountName),
  (name) =>
    Object.hasOwn(isxAccounts, name) ? undefined : `must be one of ${Object.keys(isxAccounts).join(", ")}`,
);

type Keys = Readonly<Record<string, Shape<unknown>>>;

const filled = optional(words(line));

// Says what is accepted, never what is there: it may be a secret in the wrong place.
const claudeType: Shape<undefined> = (value, spot) => {
  if (value === undefined || value === "oauth" || value === "api-key" || value === "vertex") return;
  spot.refuse("must be oauth, api-key or vertex");
};

/**
 * The account namespaces of `config.yaml`: one account's keys, or `accounts` by name with a `default`. Checked, so
 * that a mistake is found when it is made; the values are read where they are used.
 */
export const isxAccounts = {
  claude: namespace({
    type: claudeType,
    oauthToken: filled,
    apiKey: filled,
    cloudMlRegion: filled,
    vertexProjectId: filled,
  }),
  github: namespace({ token: filled, email: filled }),
  openai: namespace({ apiKey: filled }),
  gemini: namespace({ apiKey: filled }),
};

function namespace(keys: Keys): Shape<undefined> {
  const account = secretTable(keys);
  const accounts = namedTable(() => account, accountName);
  const several = secretTable({ accounts, default: filled });
  const one = secretTable({ ...keys, accounts });
  return (value, spot) => {
    if (value === undefined) return;
    if (!isTable(value) || !Object.hasOwn(value, "accounts")) return void one(value, spot);
    several(value, spot);
    const known = isTable(value.accounts) ? Object.keys(value.accounts) : [];
    if (typeof value.default !== "string" || known.includes(value.default)) return;
    spot.below("default").refuse(`must name one of the accounts: ${known.join(", ")}`);
  };
}

// The longest key is `vertexProjectId`; something much longer is a token without its key, which no error may show.
const longestKey = 20;

function secretTable(keys: Keys): Shape<unknown> {
  const shape = table(keys);
  return (value, spot) => {
    const token = isTable(value) && Object.keys(value).some((key) => key.length > longestKey);
    if (token) return spot.refuse(`has a key that is none of ${Object.keys(keys).join(", ")}`);
    return shape(value, spot);
  };
}
