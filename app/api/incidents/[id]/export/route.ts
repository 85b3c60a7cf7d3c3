import { runtime } from '@/lib/runtime';
import { handled } from '../../../answer';
import { toldNow } from '../../../now';
import { queryOf } from '../../../query';
import { noSuchIncident, recordOf } from '../../record';
import { exportOf } from './forms';

export const dynamic = 'force-dynamic';

const MOST_EXPERIMENTS = 20;

/** One incident as a file: HTML that stands alone, JSON, or Markdown; hosts masked when asked. No secret of the configuration leaves in it. */
export const GET = handled<{ params: Promise<{ id: string }> }>(async (request, { params }) => {
  const query = queryOf(request, ['form', 'mask']);
  const form = query.choice('form', ['html', 'json', 'md']) ?? 'html';
  const isMasked = query.choice('mask', ['hosts', 'none']) === 'hosts';
  const { id } = await params;
  const watching = runtime();
  const history = watching.history();
  const record = recordOf(history, id);
  if (history === undefined || record === undefined) throw noSuchIncident(id);
  const kept = history.kept(id);
  const live = watching.snapshot();
  const now = live?.stacks.find((stack) => stack.incident?.id === id);
  return exportOf(
    {
      exportedAt: toldNow(watching),
      build: live?.build ?? 'unknown',
      ...(isMasked ? {} : { page: pageOf(request, id) }),
      isMasked,
      ...record,
      experiments: history.experiments({ incident: id, limit: MOST_EXPERIMENTS }),
      ...(kept === undefined ? {} : { kept }),
      ...(now === undefined ? {} : { now, incident: now.incident ?? record.incident }),
    },
    form,
    watching.withoutSecrets,
  );
});

/** Its address as the reader knows us, which the server itself does not. */
function pageOf(request: Request, id: string): string {
  const { protocol, host } = new URL(request.url);
  return `${protocol}//${request.headers.get('host') ?? host}/incidents/${encodeURIComponent(id)}`;
}
