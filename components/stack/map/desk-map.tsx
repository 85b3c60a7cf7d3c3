'use client';

import { type KeyboardEvent, useCallback, useMemo, useRef, useState } from 'react';
import { foundBy, presetOf, shownBy } from '@/lib/client/find-nodes';
import { useView } from '@/lib/client/url-state';
import type { StackView } from '@/lib/model/snapshot';
import { neighbours, nextSlot } from '../../topology/walk';
import { type Drawing, drawing, useGeometry } from './drawing';
import { FindBar } from './find-bar';
import { useLate } from './late';
import { PlainMap } from './plain';
import { CardContext, type CardState } from './slot-card';

export type MapProps = {
  drawn: Drawing;
  kv: StackView['kv'];
  shown: ReadonlySet<string>;
  /** The nodes that keep their strength while some are looked at or looked for. */
  lit: ReadonlySet<string> | undefined;
  looked: string | undefined;
  isByKey: boolean;
  /** The slot that shall have the focus at first. */
  focused: string | undefined;
};

/** More than this of a tall map is reached by moving it. */
const MOST_HIGH = 620;

// The viewport loads when somebody comes to the map; until then, and without it, the map is the server's.
const loadFlow = () => import('./flow').then((module) => module.FlowMap);

/** The stack as lanes, with each probe's dot halting where its request halts; a click pins a node. The table beneath says the same in words. */
export function DeskMap({ stack, now }: { stack: StackView; now: number }) {
  const [view, setView] = useView();
  const [looked, setLooked] = useState<string>();
  const [isByKey, setByKey] = useState(false);
  const [text, setText] = useState('');
  const box = useRef<HTMLFieldSetElement>(null);
  const late = useLate(loadFlow, box);
  const geometry = useGeometry(stack.nodes);
  const nodes = useMemo(() => new Map(stack.nodes.map((node) => [node.id, node])), [stack.nodes]);
  const pinned = view.node !== undefined && nodes.has(view.node) ? view.node : undefined;
  const preset = presetOf(view.find);

  const shown = useSame(shownBy(preset, stack));
  const found = foundBy(text, stack.nodes);
  const near = useMemo(() => neighbours(stack.edges, looked), [stack.edges, looked]);
  const lit = looked === undefined ? found : near;
  const drawn = drawing(stack, geometry, shown, looked ?? pinned);
  // By the address itself: the second of two quick clicks comes before what is drawn has followed the first.
  const onPin = useCallback(
    (node: string) => {
      const isNew = new URL(window.location.href).searchParams.get('node') !== node;
      if (isNew) setView({ node });
      return isNew;
    },
    [setView],
  );
  const visible = geometry.slots.filter((slot) => shown.has(slot.id));
  const first = [looked, pinned].find((id) => id !== undefined && shown.has(id)) ?? visible[0]?.id;
  const cards: CardState = { nodes, now, first, pinned, lit, onPin };

  const move = (event: KeyboardEvent<HTMLElement>) => {
    setByKey(true);
    if (event.key === 'Escape' && pinned !== undefined) {
      event.preventDefault();
      return setView({ node: undefined });
    }
    const here = visible.find((slot) => slot.id === looked);
    const next = here && nextSlot(visible, here, event.key);
    if (!next) return;
    event.preventDefault();
    box.current?.querySelector<HTMLElement>(`[data-slot="${CSS.escape(next.id)}"]`)?.focus({ preventScroll: late !== undefined });
  };
  const Picture = late?.is ?? PlainMap;
  return (
    <section aria-label="Topology map" className="min-w-0">
      <FindBar
        preset={preset}
        onPreset={(next) => setView({ find: next === 'all' ? undefined : next })}
        text={text}
        onText={setText}
        counts={{ shown: shown.size, all: stack.nodes.length, found: found?.size }}
      />
      <fieldset
        ref={box}
        aria-label="Nodes; arrow keys walk the lanes, Enter pins one"
        className="min-w-0"
        style={{ height: Math.min(MOST_HIGH, geometry.height) }}
        onKeyDown={move}
        onFocus={(event) => setLooked(slotOf(event.target))}
        onPointerOver={(event) => {
          setByKey(false);
          setLooked(slotOf(event.target));
        }}
        onPointerLeave={() => setLooked(undefined)}
        onBlur={() => setLooked(undefined)}
      >
        <CardContext value={cards}>
          <Picture drawn={drawn} kv={stack.kv} shown={shown} lit={lit} looked={looked} isByKey={isByKey} focused={late?.focused} />
        </CardContext>
      </fieldset>
    </section>
  );
}

function slotOf(target: EventTarget): string | undefined {
  return (target instanceof Element && target.closest('[data-slot]')?.getAttribute('data-slot')) || undefined;
}

/** The same set as long as it has the same members, so that what hangs on it is not made anew each second. */
function useSame(set: ReadonlySet<string>): ReadonlySet<string> {
  const text = JSON.stringify([...set]);
  return useMemo(() => new Set(JSON.parse(text) as string[]), [text]);
}
