import { type DehydratedState, dehydrate, QueryClient } from '@tanstack/react-query';
import { liveSnapshot, snapshotAt } from '@/lib/client/queries';
import { parseMoment } from '@/lib/client/view';
import { runtime } from '@/lib/runtime';

export type Query = Promise<Record<string, string | string[] | undefined>>;

/** The snapshot that the URL asks for, as the browser's cache will hold it: first paint shows the truth and no spinner. */
export async function firstPicture(query: Query, more?: (client: QueryClient) => void): Promise<DehydratedState> {
  const { t } = await query;
  const client = new QueryClient();
  const live = runtime().snapshot();
  if (live) client.setQueryData(liveSnapshot.queryKey, live);
  const at = typeof t === 'string' && !t.startsWith('now') ? parseMoment(t, 0) : undefined;
  const then = at ? runtime().history()?.snapshotAt(at) : undefined;
  if (at && then) client.setQueryData(snapshotAt(at).queryKey, then);
  more?.(client);
  return dehydrate(client);
}
