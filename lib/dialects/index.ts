import type { Dialect } from '@/lib/model/dialect';
import type { Kind } from '@/lib/model/target';
import { miniLb } from './mini-lb';
import { openai } from './openai';
import { sglang } from './sglang';
import { sglangRouter } from './sglang-router';
import { vllm } from './vllm';
import { vllmProxy } from './vllm-proxy';
import { vllmRouter } from './vllm-router';

/** Every serving software we can read. */
export const dialects = {
  sglang,
  'sglang-router': sglangRouter,
  'mini-lb': miniLb,
  vllm,
  'vllm-router': vllmRouter,
  'vllm-proxy': vllmProxy,
  openai,
} as const satisfies Partial<Record<Kind, Dialect>>;
