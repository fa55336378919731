import { Failure } from "@agent-control/base";

/** The Failure that the call throws or rejects with; throws when it does not fail or fails as a bug does. */
export async function failureOf(call: () => unknown): Promise<Failure> {
  try {
    await call();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("expected a Failure, but the call succeeded");
}
