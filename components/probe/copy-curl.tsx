'use client';

import { useQueryClient } from '@tanstack/react-query';
import { probeRecord } from '@/lib/client/queries';
import { copyText, tell } from '@/lib/client/told';

/** Copies a probe as the curl that asks the same; secrets are replaced. The record is fetched when it is wanted. */
export function CopyCurl({ probe, of }: { probe: string; of: string }) {
  const client = useQueryClient();
  const copy = async () => {
    try {
      await copyText((await client.fetchQuery(probeRecord(probe))).curl, 'as curl');
    } catch (error) {
      tell(error instanceof Error ? error.message : 'The record of this probe could not be read.');
    }
  };
  return (
    <button
      type="button"
      aria-label={`Copy as curl: ${of}`}
      onClick={() => void copy()}
      className="min-h-6 cursor-copy text-2xs text-soft hover:text-ink hover:underline"
    >
      copy as curl
    </button>
  );
}
