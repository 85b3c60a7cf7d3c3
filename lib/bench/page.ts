import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { children } from '@/lib/cli/children.mjs';
import { tellFrame } from './cost/frame';
import { tellTab } from './cost/tab';

/** `npm run bench:page [-- --seconds S] [-- --frame]`: what a tab loads and asks for, and the bytes of a frame; `--frame` tells the frame alone. */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '60' }, frame: { type: 'boolean', default: false } } });

const dir = mkdtempSync(join(tmpdir(), 'wedgewatch-bench-'));
try {
  tellFrame();
  if (!values.frame) await tellTab({ seconds: Number(values.seconds), dir });
} finally {
  await children.stopAll();
  rmSync(dir, { recursive: true, force: true });
}
