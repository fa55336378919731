/** An error for people: one sentence, and what to do now. */
export function problem(sentence, next) {
  return Object.assign(new Error(sentence), { next });
}
