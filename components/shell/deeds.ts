'use client';

import { useQueryClient } from '@tanstack/react-query';
import { acknowledge, startExperiment } from '@/lib/client/actions';
import { probeRecord } from '@/lib/client/queries';
import type { Act } from '@/lib/client/search';
import { settings } from '@/lib/client/settings';
import { copyText, tell } from '@/lib/client/told';
import type { Travel } from '@/lib/client/travel';

/** Does what the search was asked to do, and tells what came of it. */
export function useDeeds(travel: Travel, go: (path: string) => void): (act: Act) => void {
  const client = useQueryClient();

  const done = async (act: Act): Promise<void> => {
    switch (act.do) {
      case 'experiment': {
        tell('Starting the experiment…');
        const id = await startExperiment(act.stack, act.targets);
        go(`/experiments/${encodeURIComponent(id)}`);
        return tell('');
      }
      case 'acknowledge': {
        const by = settings().name.trim();
        const path = `/incidents/${encodeURIComponent(act.incident)}`;
        // Without a name nobody can acknowledge; the incident's page asks for one.
        if (by) await acknowledge(act.incident, by);
        go(path);
        return tell(by ? `Acknowledged by ${by}` : 'Say who you are first, then acknowledge here.');
      }
      case 'curl':
        return copyText((await client.fetchQuery(probeRecord(act.probe))).curl, 'as curl');
      case 'number':
        return copyText(act.text);
      case 'link':
        return press('c');
      case 'theme':
        return press('theme');
      case 'hold':
      case 'live':
        return travel.toggle();
    }
  };
  return (act) => void done(act).catch((error: unknown) => tell(error instanceof Error ? error.message : 'It could not be done.'));
}

function press(key: string): void {
  document.querySelector<HTMLElement>(`[data-key="${key}"]`)?.click();
}
