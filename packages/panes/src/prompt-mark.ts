/** A prompt that was submitted, as a wait for its turn needs it. */
export interface PromptMark {
  /** Sequence of the newest "a turn began" event before the paste; a later one belongs to this prompt or a later one. */
  readonly turnSequence: number;
  /** When Enter was pressed, monotonic milliseconds. */
  readonly at: number;
  /** Whether its turn has been seen to begin. */
  readonly turnStarted: boolean;
}
