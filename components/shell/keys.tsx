'use client';

import dynamic from 'next/dynamic';
import { usePathname, useRouter } from 'next/navigation';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { levelUp, type Wish, wishOf } from '@/lib/client/keys';
import { useSnapshot } from '@/lib/client/queries';
import { settings } from '@/lib/client/settings';
import { useTold } from '@/lib/client/told';
import { useTravel } from '@/lib/client/travel';
import { useView } from '@/lib/client/url-state';
import { linkTo } from '@/lib/client/view';
import { useDeeds } from './deeds';

const KeyHelp = dynamic(() => import('./key-help').then((module) => module.KeyHelp), { ssr: false });
const Palette = dynamic(() => import('./palette').then((module) => module.Palette), { ssr: false });

/** A letter after `g` counts for this long. */
const CHORD_MS = 1_500;

/** Listens to the keys of the whole desk and does what they wish; opens the key map and the search. */
export function Keys() {
  const [open, setOpen] = useState<'help' | 'palette'>();
  const travel = useTravel();
  const router = useRouter();
  const path = usePathname();
  const [view] = useView();
  const incident = useSnapshot((snapshot) => snapshot.stacks.find((stack) => stack.incident)?.incident?.id);
  const before = useRef<{ key: string; at: number }>(undefined);

  const go = (to: string) => router.push(linkTo(to, view));
  const perform = useDeeds(travel, go);
  const told = useTold();
  const act = (key: string) => {
    const there = document.querySelector<HTMLElement>(`[data-key="${key}"]`);
    if (there) there.focus();
    else if (key !== 'e' && incident) go(`/incidents/${encodeURIComponent(incident)}`);
    else if (key === 'e' && path !== '/') go('/');
  };
  const obey = (wish: Wish) => {
    switch (wish.kind) {
      case 'help':
      case 'palette':
        return setOpen(wish.kind);
      case 'step':
        return travel.step(wish.seconds);
      case 'pause':
        return travel.toggle();
      case 'live':
        return travel.live();
      case 'zoom-out':
        return travel.zoomOut();
      case 'act':
        return act(wish.key);
      case 'copy':
        return document.querySelector<HTMLElement>('[data-key="c"]')?.click();
      case 'go':
        return go(wish.path);
      case 'up': {
        const up = levelUp(path);
        if (up) go(up);
      }
    }
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || (event.repeat === true && event.key !== '[' && event.key !== ']')) return;
    if (document.querySelector('dialog[open]') || isTyping(event.target) || (event.key === ' ' && isPressable(event.target))) return;
    const last = before.current && event.timeStamp - before.current.at < CHORD_MS ? before.current.key : undefined;
    before.current = { key: event.key, at: event.timeStamp };
    const wish = wishOf(event, last, settings().singleKeys === 'on');
    if (!wish) return;
    event.preventDefault();
    obey(wish);
  });
  useEffect(() => {
    document.addEventListener('keydown', onKey);
    // Told on the page: a key pressed before somebody listens is nobody's.
    document.documentElement.dataset.keys = 'heard';
    return () => {
      document.removeEventListener('keydown', onKey);
      delete document.documentElement.dataset.keys;
    };
  }, []);

  const close = () => setOpen(undefined);
  return (
    <>
      <button type="button" onClick={() => setOpen('palette')} className={BUTTON}>
        Search
      </button>
      <button type="button" aria-label="Keys" title="Keys (?)" onClick={() => setOpen('help')} className={BUTTON}>
        ?
      </button>
      {open === 'help' ? <KeyHelp onClose={close} /> : null}
      {open === 'palette' ? <Palette travel={travel} onGo={go} onAct={perform} onClose={close} /> : null}
      <span role="status" className="max-w-72 text-2xs text-soft empty:hidden">
        {told}
      </span>
    </>
  );
}

const BUTTON = 'min-h-6 min-w-6 rounded-sm px-1.5 text-soft hover:text-ink hover:underline max-sm:hidden';

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('textarea, select, input:not([type="range"], [type="checkbox"], [type="button"])'))
  );
}

function isPressable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('button, summary, input, [role="button"], [role="checkbox"]');
}
