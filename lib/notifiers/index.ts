import { webhook } from './webhook';

/** All notifiers by name. */
export const notifiers = { webhook };
