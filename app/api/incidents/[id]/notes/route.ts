import { handled } from '../../../answer';
import { changed, nameOf, wordsOf } from '../../deed';

export const dynamic = 'force-dynamic';

const LONGEST_NOTE = 10_000;

/** A note in Markdown, kept with the incident. */
export const POST = handled<{ params: Promise<{ id: string }> }>(async (request, { params }) =>
  changed(request, (await params).id, ['by', 'text'], (body) => ({ kind: 'note', by: nameOf(body.by), text: wordsOf('text', body.text, LONGEST_NOTE) })),
);
