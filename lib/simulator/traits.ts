/** Oddities of answers that hold for the whole stack until they are undone. */
export type Traits = {
  roleFirst: boolean;
  reasoningOnly: boolean;
  empty: boolean;
  /** Status that every stream tells inside its 200. */
  everyStreamFails: number | undefined;
  /** Prefill refuses prompts with more tokens. */
  rejectLongerThan: number;
};

export function noTraits(): Traits {
  return { roleFirst: false, reasoningOnly: false, empty: false, everyStreamFails: undefined, rejectLongerThan: Number.POSITIVE_INFINITY };
}
