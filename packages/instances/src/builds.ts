import type { TemplateSet } from "./templates.ts";

/** Making images of templates that instances are then branched from. */
export interface Builds {
  /**
   * Builds the named templates, each after its parents, of which those that are missing or out of date are built too.
   * The old image of a template stays what it is until the new one is complete; one that failed is kept as
   * `<name>-failed-build`, stopped, and the Failure (code `build-failed`) says where. Resolves to what was built, in order.
   */
  build(request: BuildRequest): Promise<readonly BuildDone[]>;
  /**
   * Finishes swaps and removes half-built images that a process left behind when it died; says what it did, one
   * sentence each. Builds that run are left alone.
   */
  repair(signal?: AbortSignal): Promise<readonly string[]>;
}

export interface BuildRequest {
  readonly names: readonly string[];
  readonly definitions: TemplateSet;
  readonly onStep?: (step: BuildStep) => void;
  readonly signal?: AbortSignal;
}

export interface BuildStep {
  readonly template: string;
  /** What begins now. */
  readonly text: string;
  /** Milliseconds since the build of this template began. */
  readonly elapsedMs: number;
}

export interface BuildDone {
  readonly template: string;
  readonly durationMs: number;
}
