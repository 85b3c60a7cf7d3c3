'use client';

import { type KeyboardEvent, useId, useState } from 'react';
import { useSnapshot } from '@/lib/client/queries';
import { type Act, type Find, find } from '@/lib/client/search';
import type { Travel } from '@/lib/client/travel';
import { cut } from '@/lib/format';
import { Dialog } from '../ui/dialog';
import { useZone } from '../ui/time';

/** Search over pages, stacks, nodes, probes, open incidents, moments and what can be done; arrows choose, Enter goes or does. */
export function Palette({ travel, onGo, onAct, onClose }: { travel: Travel; onGo: (path: string) => void; onAct: (act: Act) => void; onClose: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const id = useId();
  const zone = useZone();
  const snapshot = useSnapshot((shown) => shown);
  const found = find(text, snapshot, travel.now, zone, !travel.range.isLive && travel.range.at !== undefined);
  const here = Math.min(chosen, found.length - 1);

  const go = (one: Find | undefined) => {
    if (!one) return;
    onClose();
    if ('path' in one.to) onGo(one.to.path);
    else if ('at' in one.to) travel.pin(one.to.at);
    else onAct(one.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const way = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') go(found[here]);
    if (!way && event.key !== 'Enter') return;
    event.preventDefault();
    if (way) setChosen(Math.min(found.length - 1, Math.max(0, here + way)));
  };
  return (
    <Dialog title="Search" onClose={onClose}>
      <input
        data-first
        role="combobox"
        aria-label="Node, probe, time, page or deed"
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found[here] ? `${id}-${here}` : undefined}
        autoComplete="off"
        placeholder="a name, an address, 14:03:22, now-15m, experiment, copy"
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
        className="min-h-9 w-full rounded-sm border border-line bg-ground px-2 text-base"
      />
      <div id={id} role="listbox" aria-label="Found" className="mt-2 h-80 overflow-y-auto">
        {found.map((one, index) => (
          <button
            key={one.key}
            id={`${id}-${index}`}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === here}
            onClick={() => go(one)}
            className={`flex min-h-8 w-full items-baseline gap-3 px-2 text-left text-sm ${index === here ? 'bg-sunken font-semibold' : ''}`}
          >
            <span className="w-16 shrink-0 text-2xs text-faint">{one.kind}</span>
            <span className="min-w-0 truncate">{cut(one.name, 120)}</span>
          </button>
        ))}
      </div>
      {found.length === 0 ? <p className="px-2 text-sm text-soft">Nothing is called so.</p> : null}
    </Dialog>
  );
}
