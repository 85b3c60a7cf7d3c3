import { handled } from '../../../answer';
import { changed, nameOf } from '../../deed';

export const dynamic = 'force-dynamic';

/** Somebody has seen it; the first one counts. */
export const POST = handled<{ params: Promise<{ id: string }> }>(async (request, { params }) =>
  changed(request, (await params).id, ['by'], (body) => ({ kind: 'acknowledge', by: nameOf(body.by) })),
);
