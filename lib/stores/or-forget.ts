import { openMemory } from './memory';
import { openSqlite } from './sqlite';
import type { Store } from './store';

/**
 * The store of a folder; where it cannot be opened for want of room or of rights, one that forgets, and why. A watcher that cannot write is
 * still one that can watch. A folder that another process writes is refused: it watches already.
 */
export function openOrForget(dir: string): { store: Store; notKept?: string } {
  try {
    return { store: openSqlite(dir) };
  } catch (error) {
    if (!(error instanceof Error) || (error.name !== 'StoreFull' && error.name !== 'StoreUnwritable')) throw error;
    return { store: openMemory(), notKept: `history is not being kept: ${error.message}` };
  }
}
