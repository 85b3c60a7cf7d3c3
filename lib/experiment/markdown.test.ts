import { describe, expect, it } from 'vitest';
import type { Experiment } from '@/lib/model/experiment';
import { markdown } from './markdown';

const experiment: Experiment = {
  id: 'x-1',
  stack: 's',
  startedAt: Date.UTC(2026, 11, 1, 14, 3, 22),
  endedAt: Date.UTC(2026, 11, 1, 14, 3, 52),
  state: 'done',
  progress: { done: 2, of: 2 },
  targets: [{ id: 's.router', name: 'router', url: 'http://127.0.0.1:1' }],
  incident: 'i-7',
  cells: [
    {
      target: 's.router',
      model: 'evil|`<b>*model*',
      whose: 'own',
      tries: [{ probe: 'p1', outcome: 'zero-bytes', late: true, ended: false, bytes: 0, reached: 'sent', elapsedMs: 8_000, sentence: '' }],
      curl: `curl -H "authorization: Bearer $API_KEY" 'http://127.0.0.1:1'`,
    },
    { target: 's.router', model: 'm', whose: 'own', stream: false, tries: [] },
  ],
  conclusion: { kind: 'alone', sentence: 'router hangs.', confidence: 'medium', rate: { failed: 1, of: 1, low: 0.2, high: 1 } },
};

describe('an experiment as Markdown', () => {
  it('has the conclusion, a row a cell, the incident and the command that repeats each cell', () => {
    const text = markdown(experiment, { url: 'http://here/experiments/x-1' });
    expect(text).toContain('router hangs. (confidence medium)');
    expect(text).toContain('| zero-bytes | - | sent | 0 B | 8.0 s |');
    expect(text).toContain('not streamed | not asked |');
    expect(text).toContain('Incident: i-7');
    expect(text).toContain('Record: http://here/experiments/x-1');
    expect(text).toContain('```sh\n# router');
    expect(text).toContain('Bearer $API_KEY');
  });

  it('lets no foreign text become markup or end the block of commands', () => {
    const text = markdown(experiment);
    expect(text).toContain('evil\\|\\`\\<b\\>\\*model\\*');
    expect(text.match(/```/g)).toHaveLength(2);
  });
});
