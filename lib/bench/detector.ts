import { parseArgs } from 'node:util';
import { children } from '@/lib/cli/children.mjs';
import { memoryRun } from './cost/memory-run';
import { tellSteps } from './cost/steps';

/** `npm run bench:detector [-- --targets N --hours H]` */
const { values } = parseArgs({ options: { targets: { type: 'string', default: '500' }, hours: { type: 'string', default: '1.5' } } });

tellSteps();
await memoryRun({ targets: Number(values.targets), hours: Number(values.hours) });
await children.stopAll();
