import type { Probe } from '@/lib/model/probe';
import { chat } from './chat';
import { chatWhole } from './chat-whole';
import { health } from './health';
import { models } from './models';
import { reference } from './reference';

export const probes = { chat, 'chat-whole': chatWhole, health, models, reference } satisfies Record<string, Probe>;
