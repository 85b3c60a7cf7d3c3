'use client';

import { useMutation } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { startExperiment } from '@/lib/client/actions';
import { useView } from '@/lib/client/url-state';
import { linkTo } from '@/lib/client/view';

/** One click: every front-end of the stack with its own id, the others' and a nonsense one. Leads to the record, which fills while one looks. */
export function RunExperiment({ stack, targets }: { stack: string; targets: readonly string[] }) {
  const router = useRouter();
  const [view] = useView();
  const start = useMutation({
    mutationFn: (long: boolean) => startExperiment(stack, [...targets], { long }),
    onSuccess: (id) => router.push(linkTo(`/experiments/${encodeURIComponent(id)}`, view)),
  });
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <button
          type="button"
          data-key="e"
          disabled={start.isPending || targets.length === 0}
          onClick={() => start.mutate(false)}
          className={`${BUTTON} font-semibold`}
        >
          {start.isPending ? 'Starting…' : 'Run the experiment'}
        </button>
        <button type="button" disabled={start.isPending || targets.length === 0} onClick={() => start.mutate(true)} className={BUTTON}>
          with a long prompt too
        </button>
      </div>
      {start.error ? (
        <p role="alert" className="mt-2 border-l-4 border-unknown pl-2">
          {start.error.message}
        </p>
      ) : null}
    </>
  );
}

const BUTTON = 'min-h-7 rounded-sm border border-line px-3 hover:border-ink disabled:opacity-50';
