/** Our own trouble with the disk, told apart by `name` since classes have more than one self. `code` is the driver's or the system's own word. */
export type StoreFailure = Error & { name: 'StoreCorrupt' | 'StoreLocked' | 'StoreNewer' | 'StoreFull' | 'StoreUnwritable' | 'StoreFailed'; code?: string };

/** An exception that a tired person can act on: what, where, what to do. */
export function storeFailure(name: StoreFailure['name'], message: string, cause?: unknown): StoreFailure {
  return Object.assign(new Error(`store: ${message}`, { cause }), { name, code: codeOf(cause) });
}

/** The driver's or the system's error in our words. */
export function explain(error: unknown, path: string): StoreFailure {
  if (isStoreFailure(error)) return error;
  const code = codeOf(error) ?? '';
  const words = error instanceof Error ? error.message : String(error);
  if (isCorruption(error)) return storeFailure('StoreCorrupt', `${path} is damaged (${words}); move it away and start again, or restore a copy`, error);
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return storeFailure('StoreLocked', `${path} is in use by another process (${words}); stop that one, or set "data" to another folder`, error);
  if (code === 'SQLITE_FULL' || code === 'ENOSPC')
    return storeFailure('StoreFull', `no room to write ${path} (${words}); free disk space, or lower "retention" in the configuration`, error);
  if (/^(EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/.test(code) || words.includes('ConnectionFailed'))
    return storeFailure('StoreUnwritable', `cannot write ${path} (${words}); make its folder writable for this user, or set "data" to another folder`, error);
  return storeFailure('StoreFailed', `${path}: ${words}; look at the disk and its file system, then start again`, error);
}

export function isCorruption(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return code.startsWith('SQLITE_CORRUPT') || code === 'SQLITE_NOTADB' || (error instanceof Error && error.name === 'StoreCorrupt');
}

function isStoreFailure(error: unknown): error is StoreFailure {
  return error instanceof Error && error.name.startsWith('Store') && error.message.startsWith('store: ');
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}
