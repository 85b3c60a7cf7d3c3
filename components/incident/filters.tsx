'use client';

import { useSearchParams } from 'next/navigation';
import { useState } from 'react';
import { useSnapshot } from '@/lib/client/queries';
import { useView } from '@/lib/client/url-state';
import { ALARM_STATES } from '@/lib/model/incident';
import { PLACES, VERDICTS } from '@/lib/model/verdict';
import { BOX, Field } from '../ui/field';

/** What the list is narrowed to; it lives in the URL, so that a link shows the same list. */
export type Filter = Partial<Record<(typeof FILTER_KEYS)[number], string>>;

export const FILTER_KEYS = ['text', 'state', 'verdict', 'place', 'acknowledged', 'of'] as const;

/** The filter in the address bar as a query of /api/incidents, and a way to change it in place. */
export function useFilter(): { filter: Filter; query: string; range?: string; change: (part: Filter) => void; allTimes: () => void } {
  const params = useSearchParams();
  const [view, setView] = useView();
  const filter: Filter = Object.fromEntries(FILTER_KEYS.flatMap((key) => (params.get(key) ? [[key, params.get(key) ?? '']] : [])));
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(filter)) query.set(key === 'of' ? 'stack' : key, value);
  for (const key of ['from', 'to'] as const) if (view[key]) query.set(key, view[key]);
  const range = view.from || view.to ? `${view.from ?? 'the beginning'} to ${view.to ?? 'now'}` : undefined;
  const change = (part: Filter) => {
    const here = new URL(window.location.href);
    for (const [key, value] of Object.entries(part)) {
      if (value) here.searchParams.set(key, value);
      else here.searchParams.delete(key);
    }
    window.history.replaceState(null, '', here);
  };
  return { filter, query: query.toString(), ...(range ? { range } : {}), change, allTimes: () => setView({ from: undefined, to: undefined }) };
}

/** The boxes over the list. */
export function Filters({ filter, range, change, allTimes }: Pick<ReturnType<typeof useFilter>, 'filter' | 'range' | 'change' | 'allTimes'>) {
  const stacks = useSnapshot((snapshot) => snapshot.stacks.map(({ id }) => id)) ?? [];
  // The address follows what is typed; the box does not wait for it.
  const [text, setText] = useState(filter.text ?? '');
  const [isOpen, setOpen] = useState(false);
  // On a phone the list comes first.
  const folded = isOpen ? '' : 'max-sm:hidden';
  return (
    <search className="grid gap-2 sm:flex sm:flex-wrap sm:items-end">
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className="link min-h-10 justify-self-start sm:hidden">
        {isOpen ? 'Hide the filters' : 'Search and filter'}
      </button>
      <div className={folded}>
        <Field label="Search in sentences and notes">
          {(id) => (
            <input
              id={id}
              type="search"
              maxLength={300}
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                change({ text: event.target.value.trim() });
              }}
              className={`${BOX} sm:w-64`}
            />
          )}
        </Field>
      </div>
      <div className={`grid grid-cols-2 gap-2 sm:flex sm:flex-wrap ${folded}`}>
        <Choice words="State" value={filter.state} onChange={(state) => change({ state })} of={['open', ...ALARM_STATES]} />
        <Choice words="Verdict" value={filter.verdict} onChange={(verdict) => change({ verdict })} of={VERDICTS.filter((each) => OPENS.has(each))} />
        <Choice words="Place" value={filter.place} onChange={(place) => change({ place })} of={PLACES.filter((each) => each !== 'none')} />
        <Choice words="Acknowledged" value={filter.acknowledged} onChange={(acknowledged) => change({ acknowledged })} of={['yes', 'no']} />
        {stacks.length > 1 ? <Choice words="Stack" value={filter.of} onChange={(of) => change({ of })} of={stacks} /> : null}
      </div>
      {range ? (
        <p className="flex min-h-7 flex-wrap items-center gap-2">
          <span className="text-soft">only of {range}</span>
          <button type="button" onClick={allTimes} className="link min-h-6">
            all times
          </button>
        </p>
      ) : null}
    </search>
  );
}

const OPENS: ReadonlySet<string> = new Set(['hanging', 'down', 'misconfigured']);

function Choice({ words, value = '', onChange, of }: { words: string; value?: string; onChange: (value: string) => void; of: readonly string[] }) {
  return (
    <Field label={words}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)} className={BOX}>
          <option value="">any</option>
          {of.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
    </Field>
  );
}
