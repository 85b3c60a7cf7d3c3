import { openMemory } from './memory';
import { openSqlite } from './sqlite';

/** All stores by name. */
export const stores = { memory: openMemory, sqlite: openSqlite };
