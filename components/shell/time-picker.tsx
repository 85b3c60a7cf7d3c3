'use client';

import { type FormEvent, useId, useRef, useState } from 'react';
import type { Travel } from '@/lib/client/travel';
import { parseTyped } from '@/lib/client/view';
import { useZone } from '../ui/time';

/** A second to go to, or a span to look at, as typed or pasted. */
export function TimePicker({ travel }: { travel: Travel }) {
  const zone = useZone();
  const id = useId();
  const menu = useRef<HTMLDetailsElement>(null);
  const [wrong, setWrong] = useState('');

  const read = (form: FormData, name: string) => {
    const text = String(form.get(name) ?? '').trim();
    return text ? (parseTyped(text, travel.now, zone) ?? Number.NaN) : undefined;
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [at, from, to] = [read(form, 'at'), read(form, 'from'), read(form, 'to')];
    if ([at, from, to].some(Number.isNaN)) return setWrong('That is no moment. Write 14:03:22, an ISO time, an epoch in s or ms, or now-15m.');
    if (at === undefined && from === undefined) return setWrong('Write a second, or where the span begins.');
    if (from !== undefined && from >= (to ?? travel.now)) return setWrong('The span ends before it begins; swap its two ends.');
    setWrong('');
    if (from !== undefined) travel.select(from, to ?? travel.now);
    if (at !== undefined) travel.pin(at);
    if (menu.current) menu.current.open = false;
  };
  return (
    <details ref={menu} className="relative">
      <summary className="min-h-6 cursor-pointer rounded-sm px-1.5 leading-6 text-soft hover:text-ink">go to time</summary>
      <form
        onSubmit={submit}
        aria-label="Go to a time"
        className="absolute top-7 left-0 z-40 grid w-72 gap-2 border border-line bg-raised p-3 text-xs max-sm:-left-20"
      >
        {FIELDS.map(([name, label]) => (
          <div key={name} className="grid grid-cols-[6rem_1fr] items-center gap-2">
            <label htmlFor={`${id}${name}`}>{label}</label>
            <input id={`${id}${name}`} name={name} autoComplete="off" className="min-h-7 min-w-0 rounded-sm border border-line bg-ground px-1.5 font-mono" />
          </div>
        ))}
        <p className="text-soft">14:03:22, 2026-12-01 14:03, ISO, epoch or now-15m; without a zone: {zone === 'utc' ? 'UTC' : 'local time'}.</p>
        <p role="alert" className="text-unknown empty:hidden">
          {wrong}
        </p>
        <button type="submit" className="min-h-7 rounded-sm border border-line px-2 font-semibold hover:border-ink">
          Go
        </button>
      </form>
    </details>
  );
}

const FIELDS = [
  ['at', 'Second'],
  ['from', 'Span from'],
  ['to', 'Span to'],
] as const;
