/** The one cursor over all charts of a page: a moment, or none. Kept outside React, so that a mouse move redraws lines and not charts. */
export type Cursor = {
  get(): number | undefined;
  set(at: number | undefined): void;
  subscribe(listener: () => void): () => void;
};

export function createCursor(): Cursor {
  let at: number | undefined;
  const listeners = new Set<() => void>();
  return {
    get: () => at,
    set(next) {
      if (next === at) return;
      at = next;
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
