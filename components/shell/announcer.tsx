'use client';

import { useEffect, useRef, useState } from 'react';
import { usePastMoment, useSnapshot } from '@/lib/client/queries';
import { clockTime } from '@/lib/format';
import type { Verdict } from '@/lib/model/verdict';
import { plainSentence } from '../ui/sentence';

const LOUD: ReadonlySet<Verdict> = new Set<Verdict>(['hanging', 'down']);
const POLITE_EVERY_MS = 5_000;

/** Tells changes to those who listen: a new hanging or down at once, anything else at most each five seconds. Also names the tab. */
export function Announcer() {
  const past = usePastMoment();
  const stacks = useSnapshot((snapshot) => snapshot.stacks.map(({ id, name, judgement, sentence }) => ({ id, name, verdict: judgement.verdict, sentence })));
  const before = useRef<Map<string, Verdict>>(undefined);
  const politeAt = useRef(0);
  const [alarm, setAlarm] = useState('');
  const [news, setNews] = useState('');

  useEffect(() => {
    if (!stacks || past !== undefined) return;
    const known = before.current;
    before.current = new Map(stacks.map((stack) => [stack.id, stack.verdict]));
    const changed = known ? stacks.filter((stack) => known.get(stack.id) !== stack.verdict) : [];
    if (changed.length === 0) return;
    const text = changed.map((stack) => `${stack.name} ${stack.verdict}: ${plainSentence(stack.sentence, (at) => clockTime(at, 'local'))}`).join(' ');
    if (changed.some((stack) => LOUD.has(stack.verdict))) return setAlarm(text);
    const timer = setTimeout(
      () => {
        politeAt.current = performance.now();
        setNews(text);
      },
      Math.max(0, politeAt.current + POLITE_EVERY_MS - performance.now()),
    );
    return () => clearTimeout(timer);
  }, [stacks, past]);

  useEffect(() => {
    const bad = stacks?.filter((stack) => stack.verdict !== 'ok') ?? [];
    const worst = bad[0];
    document.title = worst ? `${worst.verdict.toUpperCase()} ${worst.name} · Wedgewatch` : 'Wedgewatch';
  }, [stacks]);

  return (
    <>
      <div role="alert" className="sr-only">
        {alarm}
      </div>
      <div role="status" className="sr-only">
        {news}
      </div>
    </>
  );
}
