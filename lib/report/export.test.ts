import { describe, expect, test } from 'vitest';
import { PLACES, VERDICTS } from '@/lib/model/verdict';
import { aKept, anEvent, anExperiment, anIncident } from '@/lib/stores/examples';
import type { Bundle } from './bundle';
import { allCards, cardOf } from './cards';
import { incidentHtml } from './html';
import { incidentMarkdown } from './markdown';
import { oddsCurves, plot } from './plot';

const AT = Date.UTC(2026, 10, 5, 14);
const HOSTILE = '<script>alert(1)</script>"\'& [x](javascript:1) `|` @here <!channel>';

function bundle(over: Partial<Bundle> = {}): Bundle {
  const kept = aKept({ at: AT });
  kept.first.hypotheses = [
    {
      id: 'decode-stuck',
      claim: 'The decode scheduler stands.',
      prior: -3,
      logOdds: 3,
      probability: 0.95,
      evidence: [{ weight: 2, because: 'it has not spoken for 20 s', cites: [] }],
      next: 'py-spy dump',
      implies: { verdict: 'hanging' },
    },
  ];
  return {
    exportedAt: AT + 120_000,
    build: '1.2.3',
    isMasked: false,
    incident: anIncident({ openedAt: AT, ack: { by: 'Ada', at: AT + 9_000 } }),
    events: [anEvent({ id: 'o', at: AT, kind: 'incident-opened', incident: 'i1', sentence: 'router hangs since {2026-11-05T14:00:00.000Z}' })],
    related: [],
    experiments: [anExperiment({ startedAt: AT + 10_000, endedAt: AT + 20_000 })],
    kept,
    ...over,
  };
}

const hostile = bundle({
  build: HOSTILE,
  incident: anIncident({ sentence: HOSTILE, stack: HOSTILE, targets: [HOSTILE], ack: { by: HOSTILE, at: AT } }),
  events: [anEvent({ id: 'n', at: AT, stack: '', kind: 'note', by: HOSTILE, sentence: HOSTILE, data: { text: HOSTILE } })],
});
for (const node of hostile.kept?.first.nodes ?? []) Object.assign(node, { name: HOSTILE, url: HOSTILE });
for (const probe of hostile.kept?.probes ?? []) Object.assign(probe, { sentence: HOSTILE, curl: HOSTILE });

describe('the HTML report', () => {
  test('has sentence, timeline, map, drawings, suspicions, raw probes and counters in it', () => {
    const html = incidentHtml(bundle());
    expect(html).toContain('<h1>router :30001 hangs since 14:00:00. /health says 200. Requests stop at decode. 7 of 7 probes.</h1>');
    for (const words of [
      'requests stop here',
      'Suspicions over time',
      'The decode scheduler stands.',
      'it has not spoken for 20 s',
      'curl -N',
      'num_queue_reqs',
    ])
      expect(html, words).toContain(words);
    expect(html).toContain('acknowledged by Ada at 14:00:09');
  });

  test('asks for nothing from any network and runs nothing', () => {
    for (const html of [incidentHtml(bundle()), incidentHtml(hostile)]) expect(html).not.toMatch(/<script|<link|<img|<iframe|\ssrc=|url\(|@import|\son\w+=/i);
  });

  test('lets no word of others be more than text', () => {
    const html = incidentHtml(hostile);
    expect(html).not.toContain('<script>');
    expect(html).not.toContain('href="javascript');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  test('is whole without anything that was kept', () => {
    const { kept: _, ...poor } = bundle();
    expect(incidentHtml(poor)).toContain('</html>');
    expect(incidentMarkdown(poor)).toContain('**router :30001 hangs since 14:00:00.');
  });
});

describe('the Markdown for a channel', () => {
  test('says what, since when, who, what is likeliest and what happened', () => {
    const text = incidentMarkdown(bundle({ page: 'http://127.0.0.1:3030/incidents/i1' }));
    expect(text).toMatch(/^\*\*router :30001 hangs since 14:00:00\./);
    expect(text).toContain('- hanging at decode decode :30002, stack lab');
    expect(text).toContain('acknowledged by Ada at 14:00:09');
    expect(text).toContain('**Likeliest** (95 %): The decode scheduler stands.');
    expect(text).toContain('- 14:00:00 opened: router hangs since 14:00:00');
    expect(text).toContain('**Experiment** (14:00:10): No front-end hangs.');
    expect(text).toContain('Its page: http://127.0.0.1:3030/incidents/i1');
  });

  test('calls no channel and opens no tag', () => {
    expect(incidentMarkdown(hostile)).not.toMatch(/(?<!\\)<(?:!|script)/);
  });
});

describe('the cards', () => {
  test('tell for every verdict and place what it means, costs, asks for and how it clears', () => {
    for (const verdict of VERDICTS)
      for (const place of PLACES) {
        const card = cardOf(verdict, place);
        for (const words of [card.title, card.means, card.consequence, card.deadline, card.clears])
          expect(words.length, `${verdict} ${place}`).toBeGreaterThan(3);
      }
    for (const { verdict, card } of allCards())
      if (verdict !== 'ok') expect(card.response.length, `${verdict} asks for nothing: then it is no alarm`).toBeGreaterThan(0);
  });
});

describe('a plot', () => {
  const scale = { from: 0, to: 100_000, low: -6, high: 6, width: 100, height: 60 };

  test('steps, leaves gaps, and holds what is beyond its scale at the edge', () => {
    const points = [0, 50, null, 3, -9].map((value, index) => ({ at: index * 25_000, value }));
    expect(plot([{ label: 'a', points }], scale, []).paths[0]?.d).toBe('M0 30H25V0M75 15H100V60');
  });

  test('takes the suspicions that stood highest, highest first', () => {
    const odds = [
      { at: 0, odds: { a: 5, b: -1, c: -2 } },
      { at: 1, odds: { a: -1, b: 4, c: -2 } },
    ];
    expect(oddsCurves(odds, 2).map((each) => each.label)).toEqual(['a', 'b']);
  });
});
