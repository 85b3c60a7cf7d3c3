/** What an action has laid over the paths of one part: a fixed status, or a delay. `left`: how many requests it still applies to. */
export type Override = { path: string; status?: number; seconds?: number; left: number };

/** Laid-over answers of one part, the newest first. */
export class Overrides {
  private readonly list: Override[] = [];

  add(override: Override): () => void {
    this.list.unshift(override);
    return () => {
      const at = this.list.indexOf(override);
      if (at >= 0) this.list.splice(at, 1);
    };
  }

  /** The one that holds for this request; counts it down. */
  take(path: string): Override | undefined {
    const found = this.list.find((one) => one.left > 0 && (one.path === path || (one.path.endsWith('*') && path.startsWith(one.path.slice(0, -1)))));
    if (found !== undefined) found.left -= 1;
    return found;
  }
}
