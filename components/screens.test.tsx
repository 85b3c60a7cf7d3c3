import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { AppRouterContext, type AppRouterInstance } from 'next/dist/shared/lib/app-router-context.shared-runtime';
import { SearchParamsContext } from 'next/dist/shared/lib/hooks-client-context.shared-runtime';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { SNAPSHOT_KEY } from '@/lib/client/live';
import { wallSizes } from '@/lib/client/wall';
import type { Snapshot } from '@/lib/model/snapshot';
import { decode, router } from './samples/parts';
import { hanging, quiet, samples } from './samples/snapshots';
import { Desk } from './shell/desk';
import { Overview } from './stack/overview';
import { StackPage } from './stack/stack-page';
import { TargetPage } from './target/target-page';
import { Wall } from './wall/wall';

/** The page as the server sends it. */
function html(page: React.ReactNode, snapshot: Snapshot | undefined, query = ''): string {
  const client = new QueryClient();
  if (snapshot) client.setQueryData(SNAPSHOT_KEY, snapshot);
  return renderToString(
    <AppRouterContext.Provider value={{ push: () => {} } as unknown as AppRouterInstance}>
      <SearchParamsContext.Provider value={new URLSearchParams(query)}>
        <QueryClientProvider client={client}>{page}</QueryClientProvider>
      </SearchParamsContext.Provider>
    </AppRouterContext.Provider>,
  );
}

/** What a person reads: tags gone, entities resolved. */
function text(page: React.ReactNode, snapshot: Snapshot | undefined, query = ''): string {
  return html(page, snapshot, query)
    .replace(/<!-- -->/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x27;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&lt;/g, '<')
    .replace(/\s+/g, ' ');
}

const desk = (
  <Desk>
    <Overview />
  </Desk>
);

describe('the first paint of the overview', () => {
  it('says in one sentence who hangs, since when, what health says and where requests stop', () => {
    expect(text(desk, hanging)).toMatch(
      /router :30001 and mini_lb :8000 hang since 14:03:22 \. \/health says 200\. Requests stop at decode\. 14 of 14 probes\./,
    );
  });

  it('has exactly one main heading', () => {
    for (const snapshot of Object.values(samples)) expect(html(desk, snapshot).match(/<h1/g)).toHaveLength(1);
  });

  it.each(Object.entries(samples))('tells the state "%s" by word, not by colour alone', (_name, snapshot) => {
    expect(text(desk, snapshot).toLowerCase()).toContain(snapshot.stacks[0]!.judgement.verdict);
  });

  it('shows what health says beside what the probe proves', () => expect(text(desk, hanging)).toMatch(/health says 200 probe proves zero bytes, 12 s/));

  it('names each node with address, verdict and since when', () => {
    expect(html(desk, hanging)).toContain('aria-label="decode 127.0.0.1:30002, hanging, since 14:03:22');
  });

  it('lists evidence for and against the likeliest suspicion, each with a link to its record', () => {
    const page = html(desk, hanging);
    expect(page).toMatch(/aria-label="speaks for"/);
    expect(page).toMatch(/aria-label="speaks against"/);
    expect(page).toContain('/targets/main.decode?t=2026-12-01T14%3A05%3A33.000Z#loads_age_seconds%40loads');
    expect(page).toContain('/probes/main.router-24');
  });

  it('shouts when we were not looking', () => expect(text(desk, samples.blind)).toMatch(/THIS SCREEN IS BLIND since 14:04:51/));

  it('does not shout while we look', () => expect(text(desk, quiet)).not.toContain('BLIND'));

  it('says that it is starting when there is no frame yet', () => expect(text(desk, undefined)).toContain('The collector is starting'));

  it('teaches how to begin when there is no stack', () => expect(text(desk, { ...quiet, stacks: [] })).toContain('wedgewatch.yaml'));

  it('says so when a link names a stack that is not there', () => expect(text(<StackPage id="gone" />, quiet)).toContain('No stack named "gone"'));
});

describe('the panel of suspicions', () => {
  it('says calmly that there is nothing to explain, with the proof, while all is well', () => {
    expect(text(desk, quiet)).toMatch(/Nothing to explain\. 2 of 2 front-ends answer\. Last good answer at 14:05:29 , 4 s ago\. 2 suspicions weighed/);
    expect(html(desk, quiet)).not.toMatch(/<details[^>]* open/);
  });

  it('opens the likeliest one as soon as something is wrong', () => {
    expect(text(desk, hanging)).not.toContain('Nothing to explain');
    expect(html(desk, hanging).match(/<details[^>]* open/g)).toHaveLength(1);
  });

  it('claims no quiet while nobody looks', () => expect(text(desk, samples.blind)).not.toContain('Nothing to explain'));
});

describe('an overview of several stacks', () => {
  const named = (snapshot: Snapshot, id: string) => ({ ...snapshot.stacks[0]!, id, name: `stack ${id}` });
  const several: Snapshot = { ...quiet, stacks: [named(quiet, 'a'), named(samples.degraded, 'b'), named(hanging, 'c'), named(quiet, 'd')] };
  const names = (page: string) => [...page.matchAll(/<a [^>]*href="\/stacks\/(\w)"/g)].map((match) => match[1]);
  const opened = (page: string) => [...page.matchAll(/aria-label="Stack stack (\w)"/g)].map((match) => match[1]);

  it('counts them by verdict in its heading', () => expect(text(desk, several)).toContain('4 stacks: 1 hanging, 1 degraded, 2 ok'));

  it('lists the worst first, each with a link to its page', () => expect(names(html(desk, several))).toEqual(['c', 'b', 'a', 'd']));

  it('shows the worst one whole, with its map', () => {
    expect(opened(html(desk, several))).toEqual(['c']);
    expect(html(desk, several).match(/aria-label="Topology map"/g)).toHaveLength(1);
  });

  it('shows the one that the URL chooses instead', () => expect(opened(html(desk, several, 'stack=a'))).toEqual(['a']));

  it('shows none whole while all are well', () => {
    const well = { ...several, stacks: [named(quiet, 'a'), named(quiet, 'd')] };
    expect(opened(html(desk, well))).toEqual([]);
    expect(text(desk, well)).toContain('2 stacks: all ok');
  });
});

describe('hostile text from a target', () => {
  const evil = '<img src=x onerror=alert(1)>';
  const stack = hanging.stacks[0]!;
  const poisoned: Snapshot = {
    ...hanging,
    stacks: [
      { ...stack, sentence: `${evil} {not a time} hangs`, nodes: stack.nodes.map((node) => ({ ...node, name: evil, models: { ids: [evil] }, cmdline: evil })) },
    ],
  };

  it.each([
    ['overview', desk],
    ['node page', <TargetPage key="t" id={router} />],
    ['wall', <Wall key="w" sizes={wallSizes('5m', '55in')} />],
  ])('is shown as text on the %s', (_name, page) => {
    expect(html(page, poisoned)).not.toContain('<img');
    expect(text(page, poisoned)).toContain('<img src=x');
  });
});

describe('the node page', () => {
  it('shows the age of every counter and how long it has stood', () => {
    expect(text(<TargetPage id={decode} />, hanging)).toMatch(/num_decode_transfer_queue_reqs 0 2 s ago 2 m 19 s metrics/);
  });

  it('says PAUSED where probing is paused', () => {
    const stack = quiet.stacks[0]!;
    const nodes = stack.nodes.map((node) => (node.budget ? { ...node, budget: { ...node.budget, paused: true, pausedUntil: quiet.at + 300_000 } } : node));
    const page = text(<TargetPage id={router} />, { ...quiet, stacks: [{ ...stack, nodes }] });
    expect(page).toMatch(/PAUSED until 14:10:33 \(5 m 00 s left\)/);
    expect(page).toContain('Probe again');
  });

  it('says so when the node is not there', () => expect(text(<TargetPage id="main.gone" />, quiet)).toContain('No such node'));

  it('blames no node and no stack while there is no picture', () => {
    for (const page of [<TargetPage key="t" id={decode} />, <StackPage key="s" id="main" />]) {
      expect(text(page, undefined)).toContain('The collector is starting');
      expect(text(page, undefined, 't=2026-12-01T13:00:00Z')).not.toContain('No such');
    }
  });

  it.each([
    ['sglang', '--enable-metrics'],
    ['vllm', '--disable-log-stats'],
  ] as const)('teaches which flag gives the numbers of %s', (kind, flag) => {
    const stack = quiet.stacks[0]!;
    const pages = [{ source: 'metrics', outcome: 'not-exported' as const, at: quiet.at }];
    const nodes = stack.nodes.map((node) => (node.id === decode ? { ...node, kind, values: [], pages } : node));
    expect(text(<TargetPage id={decode} />, { ...quiet, stacks: [{ ...stack, nodes }] })).toContain(flag);
  });
});

describe('the wall', () => {
  it('has the sentence, three numbers and the collector’s tick', () => {
    const page = text(<Wall sizes={wallSizes('5m', '55in')} />, hanging);
    expect(page).toMatch(/Requests stop at decode/);
    expect(page).toMatch(/0\/2 answer now 14\/14 probes fail 2 m 11 s oldest wait/);
    expect(page).toContain('tick 11042');
  });

  const wall = <Wall sizes={wallSizes('5m', '55in')} />;
  const alarmed = (age: number, part: object = {}): Snapshot => {
    const stack = hanging.stacks[0]!;
    return { ...hanging, stacks: [{ ...stack, incident: { ...stack.incident!, openedAt: hanging.at - age, ...part } }] };
  };

  it('lets a new alarm beat for a minute, and stand still once somebody has it in hand', () => {
    const ack = { by: 'Ada', at: hanging.at };
    const shelf = { by: 'Ben', at: hanging.at, until: hanging.at + 60_000, reason: 'vendor' };
    expect(html(wall, alarmed(5_000))).toContain('pulses');
    for (const still of [alarmed(61_000), alarmed(5_000, { ack }), alarmed(5_000, { shelf }), quiet]) expect(html(wall, still)).not.toContain('pulses');
  });

  it('says who has an alarm in hand, and that nobody has', () => {
    expect(text(wall, alarmed(5_000))).toMatch(/hanging 2 m 11 s ,? ?not acknowledged/);
    expect(text(wall, alarmed(5_000, { ack: { by: 'Ada', at: hanging.at } }))).toContain('acknowledged by Ada');
  });
});

describe('an alarm on the desk', () => {
  it('is told with its state where the verdict is, and one that cleared unseen waits there', () => {
    expect(text(desk, hanging)).toContain('incident not acknowledged');
    const stack = quiet.stacks[0]!;
    const returned = { ...hanging.stacks[0]!.incident!, closedAt: quiet.at - 60_000 };
    expect(text(desk, { ...quiet, stacks: [{ ...stack, returned }] })).toMatch(/an incident of 14:03:22 has cleared, nobody has acknowledged it/);
  });
});
