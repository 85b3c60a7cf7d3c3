import type { Probe } from '@/lib/model/probe';
import { getRequest, judgePage } from './parts/page';

/** What the stack claims of itself; the URL asked is the whole of `on.url`. */
export const health = {
  proves: 'health',
  about: 'The health endpoint of the software itself; a 200 is its claim, and what that claim covers differs by software.',
  request: getRequest,
  judge: (exchange, _reading, { late }) => judgePage(exchange, late, (status) => status >= 200 && status < 300),
} satisfies Probe;
