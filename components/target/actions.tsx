'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { pauseProbing, resumeProbing, startExperiment } from '@/lib/client/actions';
import { useView } from '@/lib/client/url-state';
import { linkTo } from '@/lib/client/view';
import { elapsed } from '@/lib/format';
import type { NodeView } from '@/lib/model/snapshot';
import { Definitions } from '../ui/definitions';
import { Panel } from '../ui/panel';
import { Time } from '../ui/time';

/** What one may do to a front-end: stop asking it for a while, or ask it thoroughly. */
export function Actions({ node, stack, siblings, now }: { node: NodeView; stack: string; siblings: readonly string[]; now: number }) {
  const router = useRouter();
  const [view] = useView();
  const { budget } = node;
  const pause = useMutation({ mutationFn: () => (budget?.paused ? resumeProbing(node.id) : pauseProbing(node.id, '10m')) });
  const experiment = useMutation({
    mutationFn: () => startExperiment(stack, siblings.includes(node.id) ? [...siblings] : [node.id, ...siblings]),
    onSuccess: (id) => router.push(linkTo(`/experiments/${encodeURIComponent(id)}`, view)),
  });
  const error = pause.error ?? experiment.error;
  return (
    <Panel title="Our probes here">
      {budget?.paused ? (
        <p className="mb-2 border-4 border-double border-current px-2 py-1 font-bold">
          PAUSED{' '}
          {budget.pausedUntil === undefined ? null : (
            <span className="font-normal">
              until <Time at={budget.pausedUntil} /> ({elapsed(budget.pausedUntil - now)} left)
            </span>
          )}
        </p>
      ) : null}
      {budget ? (
        <Definitions
          of={[
            ['unfinished', String(budget.unfinished)],
            ['ended by us', `${budget.aborts10min} in 10 min`],
            [
              'next probe',
              budget.paused
                ? 'not while paused'
                : budget.nextProbeAt !== undefined && budget.nextProbeAt > now
                  ? `in ${elapsed(budget.nextProbeAt - now)}${budget.waitsFor ? ` (${budget.waitsFor})` : ''}`
                  : 'allowed now',
            ],
            ['we send', `${budget.probesPerMinute} probes, ${budget.tokensPerMinute} tokens a minute`],
          ]}
        />
      ) : null}
      <div className="mt-3 flex flex-wrap gap-2">
        <button type="button" disabled={pause.isPending} onClick={() => pause.mutate()} className={BUTTON}>
          {budget?.paused ? 'Probe again' : 'Pause probing for 10 minutes'}
        </button>
        <button type="button" disabled={experiment.isPending} onClick={() => experiment.mutate()} className={BUTTON}>
          {experiment.isPending ? 'Starting…' : 'Run the experiment'}
        </button>
      </div>
      <p className="mt-2 text-2xs text-faint">
        The experiment asks each front-end with its own id, with its sibling's and with a nonsense one, within the probe budget.
      </p>
      {error ? (
        <p role="alert" className="mt-2 border-l-4 border-unknown pl-2">
          {error.message}
        </p>
      ) : null}
    </Panel>
  );
}

const BUTTON = 'min-h-7 rounded-sm border border-line px-3 font-semibold hover:border-ink disabled:opacity-50';
