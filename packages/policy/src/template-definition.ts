import { type GuestFileText, guestFile } from "./guest-file.ts";
import { templateAccounts } from "./isx-accounts.ts";
import {
  anyText,
  guestPath,
  httpsAddress,
  imageName,
  incusSize,
  line,
  modelName,
  recipeName,
  script,
  templateName,
  variableName,
  word,
} from "./isx-words.ts";
import { names, optional, present, required, texts, words } from "./optional-shapes.ts";
import { flag, oneOf, wholeNumber } from "./scalar-shapes.ts";
import { readDocument, type Shape } from "./shape.ts";
import { list, namedTable, table } from "./table-shapes.ts";
/** One template file of isx as it was written, defaults not filled in: absent keys are absent. */
export interface TemplateDefinition {
  /** `[a-z][a-z0-9-]{0,47}`, no "-" at the end. */
  readonly name: string;
  readonly description?: string;
  /** Only of a root: a local alias, or `images:debian/12`. */
  readonly image?: string;
  readonly parent?: string;
  readonly packages?: readonly string[];
  readonly removePackages?: readonly string[];
  /** Names of recipes. */
  readonly tools?: readonly string[];
  readonly repos?: readonly TemplateRepo[];
  readonly skills?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly files?: readonly GuestFileText[];
  /** Passed whole to `bash -c`, as root. */
  readonly run?: readonly string[];
  /** Passed whole to `bash -lc`, as agentuser. */
  readonly runAsUser?: readonly string[];
  /** Absolute, or below ~. */
  readonly workdir?: string;
  readonly shellCommand?: string;
  readonly defaultAction?: string;
  /** Namespace → account. */
  readonly accounts?: Readonly<Record<string, string>>;
  readonly model?: string;
  readonly network?: NetworkMode;
  readonly resources?: TemplateResources;
  readonly coordinator?: {
    readonly controlOver?: readonly string[];
    readonly isxControlCapability?: boolean;
  };
}

export type NetworkMode = "full" | "proxy-only" | "airgap";

export interface TemplateRepo {
  /** https only. */
  readonly url: string;
  readonly path?: string;
  readonly branch?: string;
  readonly prime?: string;
}

export interface TemplateResources {
  /** Whole CPUs, at least 1. */
  readonly cpu?: number;
  /** Incus sizes, e.g. "4GiB". */
  readonly memory?: string;
  readonly disk?: string;
}

/**
 * The template in one file. Throws the Failure `config-invalid` (`refused`) with line, column and key of the first
 * mistake; `details.problems` has the others.
 */
export async function parseTemplateDefinition(bytes: Uint8Array, path: string): Promise<TemplateDefinition> {
  const { parseYamlDocument } = await import("./yaml-document.ts");
  return readDocument(parseYamlDocument(bytes, path), template);
}

const writtenRepo = table({
  url: required(words(httpsAddress), "https://github.com/owner/repo"),
  path: optional(words(guestPath)),
  branch: optional(words(word)),
  prime: optional(words(script)),
});

const repo: Shape<TemplateRepo> = (value, spot) => present(writtenRepo(value, spot));

const writtenResources = table({
  cpu: optional(wholeNumber(1, 4096, 1)),
  memory: optional(words(incusSize)),
  disk: optional(words(incusSize)),
});

const resources: Shape<TemplateResources> = (value, spot) => present(writtenResources(value, spot));

const writtenCoordinator = table({
  "control-over": optional(names(templateName)),
  "isx-control-capability": optional(flag(false)),
});

const coordinator: Shape<NonNullable<TemplateDefinition["coordinator"]>> = (value, spot) => {
  const found = writtenCoordinator(value, spot);
  return present({
    controlOver: found["control-over"],
    isxControlCapability: found["isx-control-capability"],
  });
};

const file = table({
  name: required(words(templateName), "tpl-java"),
  description: optional(words(anyText)),
  image: optional(words(imageName)),
  parent: optional(words(templateName)),
  packages: optional(names(word)),
  "remove-packages": optional(names(word)),
  tools: optional(names(recipeName)),
  repos: optional(list(() => repo, [])),
  skills: optional(names(word)),
  env: optional(namedTable(() => words(anyText), variableName)),
  files: optional(list(() => guestFile, [])),
  run: optional(texts(script)),
  "run-as-user": optional(texts(script)),
  workdir: optional(words(guestPath)),
  "shell-command": optional(words(line)),
  "default-action": optional(words(line)),
  accounts: optional(templateAccounts),
  model: optional(words(modelName)),
  network: optional(oneOf(["full", "proxy-only", "airgap"], "full")),
  resources: optional(resources),
  coordinator: optional(coordinator),
});

const template: Shape<TemplateDefinition> = (value, spot) => {
  const {
    "remove-packages": removePackages,
    "run-as-user": runAsUser,
    "shell-command": shellCommand,
    "default-action": defaultAction,
    ...rest
  } = file(value, spot);
  if (rest.image !== undefined && rest.parent !== undefined) {
    spot.below("image").refuseKey("does not go together with parent: a template starts from one of the two");
  }
  if (rest.parent !== undefined && rest.parent === rest.name) {
    spot.below("parent").refuse("must be another template than this one");
  }
  return present({ ...rest, removePackages, runAsUser, shellCommand, defaultAction });
};
