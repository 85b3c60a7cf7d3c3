'use client';

import { useMutation } from '@tanstack/react-query';
import { cancelExperiment } from '@/lib/client/actions';

/** Ends a running experiment; what was found so far stays. */
export function Cancel({ id }: { id: string }) {
  const cancel = useMutation({ mutationFn: () => cancelExperiment(id) });
  return (
    <>
      <button
        type="button"
        disabled={cancel.isPending || cancel.isSuccess}
        onClick={() => cancel.mutate()}
        className="min-h-7 rounded-sm border border-line px-3 font-semibold hover:border-ink disabled:opacity-50"
      >
        {cancel.isSuccess ? 'Ending…' : 'Cancel'}
      </button>
      {cancel.error ? (
        <span role="alert" className="border-l-4 border-unknown pl-2">
          {cancel.error.message}
        </span>
      ) : null}
    </>
  );
}
