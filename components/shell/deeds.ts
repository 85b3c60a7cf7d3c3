'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { acknowledge, startExperiment } from '@/lib/client/actions';
import { probeRecord } from '@/lib/client/queries';
import type { Act } from '@/lib/client/search';
import { settings } from '@/lib/client/settings';
import type { Travel } from '@/lib/client/travel';

/** Does what the search was asked to do, and tells what came of it. */
export function useDeeds(travel: Travel, go: (path: string) => void): readonly [told: string, perform: (act: Act) => void] {
  const [told, setTold] = useState('');
  const client = useQueryClient();

  const done = async (act: Act): Promise<string> => {
    switch (act.do) {
      case 'experiment': {
        setTold('Starting the experiment…');
        const id = await startExperiment(act.stack, act.targets);
        go(`/experiments/${encodeURIComponent(id)}`);
        return '';
      }
      case 'acknowledge': {
        const by = settings().name.trim();
        const path = `/incidents/${encodeURIComponent(act.incident)}`;
        // Without a name nobody can acknowledge; the incident's page asks for one.
        if (by) await acknowledge(act.incident, by);
        go(path);
        return by ? `Acknowledged by ${by}` : 'Say who you are first, then acknowledge here.';
      }
      case 'curl':
        await navigator.clipboard.writeText((await client.fetchQuery(probeRecord(act.probe))).curl);
        return 'Copied as curl';
      case 'link':
        return press('c');
      case 'theme':
        return press('theme');
      case 'hold':
      case 'live':
        travel.toggle();
        return '';
    }
  };
  const perform = (act: Act) => void done(act).then(setTold, (error: unknown) => setTold(error instanceof Error ? error.message : 'It could not be done.'));
  return [told, perform];
}

function press(key: string): string {
  document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
  return '';
}
