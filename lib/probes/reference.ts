import type { Probe } from '@/lib/model/probe';
import { getRequest, judgePage } from './parts/page';

/** A page that must always answer. Any HTTP answer will do: it is our own way to the network that is under test. */
export const reference = {
  proves: 'facts',
  about: 'A URL that must always answer; when it does not, it is we who are blind.',
  request: getRequest,
  judge: (exchange, _reading, { late }) => judgePage(exchange, late, () => true),
} satisfies Probe;
