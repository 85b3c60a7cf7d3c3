'use client';

import { useSyncExternalStore } from 'react';

/** What this reader prefers on this screen; no part of a view, so it is not in the URL. */
export type Settings = {
  zone: 'local' | 'utc';
  singleKeys: 'on' | 'off';
  /** Who this reader is, for acknowledgements and notes. */
  name: string;
};

const STANDARD: Settings = { zone: 'local', singleKeys: 'on', name: '' };
const KEY = 'wedgewatch.settings';
const listeners = new Set<() => void>();
let known: Settings | undefined;

/** The settings; the server and the first paint know none and use `otherwise`. */
export function useSettings(otherwise: Settings = STANDARD): Settings {
  return useSyncExternalStore(subscribe, settings, () => otherwise);
}

/** The settings as they are now. */
export function settings(): Settings {
  known ??= stored();
  return known;
}

/** Change some settings, here and in the other tabs of this browser. */
export function changeSettings(part: Partial<Settings>): void {
  known = { ...settings(), ...part };
  try {
    window.localStorage.setItem(KEY, JSON.stringify(known));
  } catch {
    // A browser that keeps nothing still holds it for this tab.
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const onStorage = () => {
    known = undefined;
    listener();
  };
  listeners.add(listener);
  window.addEventListener('storage', onStorage);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', onStorage);
  };
}

function stored(): Settings {
  try {
    const read: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? '{}');
    const has = (key: string, value: string) => typeof read === 'object' && read !== null && Reflect.get(read, key) === value;
    const name: unknown = typeof read === 'object' && read !== null ? Reflect.get(read, 'name') : '';
    return {
      zone: has('zone', 'utc') ? 'utc' : 'local',
      singleKeys: has('singleKeys', 'off') ? 'off' : 'on',
      name: typeof name === 'string' ? name.slice(0, 60) : '',
    };
  } catch {
    return STANDARD;
  }
}
