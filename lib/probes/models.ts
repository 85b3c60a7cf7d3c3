import type { Probe } from '@/lib/model/probe';
import { getRequest, judgePage } from './parts/page';

/** The list of model ids that a server advertises; the URL asked is the whole of `on.url`. */
export const models = {
  proves: 'facts',
  about: 'The model ids that this server advertises; it tells which id to probe with and never proves that a model works.',
  request: getRequest,
  judge: (exchange, _reading, { late }) => judgePage(exchange, late, (status) => status >= 200 && status < 300),
} satisfies Probe;
