'use client';

import { PRESETS, type Preset } from '@/lib/client/find-nodes';

const WORDS: Record<Preset, string> = { all: 'all', abnormal: 'abnormal only', probe: 'path of the last probe' };

/** What the map shows, and a word that dims all that it does not fit. */
export function FindBar({
  preset,
  onPreset,
  text,
  onText,
  counts,
}: {
  preset: Preset;
  onPreset: (preset: Preset) => void;
  text: string;
  onText: (text: string) => void;
  counts: { shown: number; all: number; found: number | undefined };
}) {
  const told = counts.found === undefined ? '' : `${counts.found} found`;
  return (
    <div className="mb-1 flex min-h-7 flex-wrap items-center gap-x-4 gap-y-1 text-2xs">
      <fieldset aria-label="Shown on the map" className="flex">
        {PRESETS.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === preset}
            onClick={() => onPreset(one)}
            className={`min-h-6 border-b-2 px-2 ${one === preset ? 'border-ink font-semibold' : 'border-transparent text-soft hover:text-ink'}`}
          >
            {WORDS[one]}
          </button>
        ))}
      </fieldset>
      <input
        type="search"
        aria-label="Find on the map"
        placeholder="find a node"
        value={text}
        onChange={(event) => onText(event.target.value)}
        className="min-h-6 w-40 rounded-sm border border-line bg-ground px-1.5 text-xs"
      />
      <span role="status" className="text-soft">
        {[told, counts.shown === counts.all ? '' : `${counts.shown} of ${counts.all} shown`].filter(Boolean).join(', ')}
      </span>
      {preset === 'abnormal' && counts.shown === 0 ? <span className="text-soft">Nothing here is abnormal.</span> : null}
    </div>
  );
}
