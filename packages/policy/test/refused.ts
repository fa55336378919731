import { Failure, renderFailure } from "@agent-control/base";

/** The Failure that the work ends in; throws when it ends well or in anything else. */
export async function failureOf(work: Promise<unknown>): Promise<Failure> {
  const error = await work.then(
    () => new Error("nothing failed"),
    (reason: unknown) => reason,
  );
  if (error instanceof Failure) return error;
  throw error;
}

/** The one line that a person or an agent reads. */
export async function lineOf(work: Promise<unknown>): Promise<string> {
  return renderFailure(await failureOf(work));
}
