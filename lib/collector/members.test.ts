import { describe, expect, it } from 'vitest';
import { fakeClock } from '@/lib/io/fake-clock';
import type { TargetConfig } from '@/lib/model/config';
import type { Role } from '@/lib/model/target';
import type { ListedWorker } from '@/lib/model/topology';
import { FRESH } from './budget';
import type { Context, Watched } from './context';
import { workersTold } from './members';

function watched(config: TargetConfig, role: Role): Watched {
  const target = {
    id: config.id,
    stack: 's',
    name: config.name,
    url: config.url,
    kind: 'sglang-router' as const,
    role,
    known: ['config' as const],
    probed: true,
  };
  return { stack: 's', config, target, stop: new AbortController(), loads: 'unasked', isSilent: false, budget: FRESH, runs: new Map() };
}

/** A stack of one front-end (and more), without loops or sockets. */
function stack(frontEndUrl: string, ...others: [string, Role][]) {
  const clock = fakeClock();
  const members = new Map<string, Watched>();
  const add = (config: TargetConfig, role: Role) => members.set(config.id, watched(config, role));
  const context = {
    clock,
    watched: members,
    adopt: (_stack: string, config: TargetConfig) => add(config, config.role ?? 'unknown'),
    dismiss: (id: string) => members.delete(id),
    announce: () => {},
  } as unknown as Context;
  add({ id: 's.fe', name: 'fe', url: frontEndUrl, headers: {}, probe: true }, 'router');
  for (const [url, role] of others) add({ id: `s.${url}`, name: url, url, headers: {}, probe: true }, role);
  const frontEnd = members.get('s.fe');
  const tell = (...workers: ListedWorker[]) => (frontEnd === undefined ? [] : workersTold(context, frontEnd, workers));
  return { clock, members, tell };
}

const worker = (url: string, role: ListedWorker['role'] = 'decode'): ListedWorker => ({ url, role });

describe('a worker that a front-end lists', () => {
  it('is joined to the target at that address, however loopback is spelt', () => {
    const { tell, members } = stack('http://127.0.0.1:30001', ['http://127.0.0.1:30002', 'unknown']);
    expect(tell(worker('http://localhost:30002/'))).toMatchObject([{ target: 's.http://127.0.0.1:30002' }]);
    expect(members.get('s.http://127.0.0.1:30002')?.target).toMatchObject({ role: 'decode', known: ['config', 'workers'] });
  });

  it('becomes a target that is only looked at, without any of our keys', () => {
    const { tell, members } = stack('http://127.0.0.1:30001');
    tell(worker('http://127.0.0.1:30002'));
    expect(members.get('s.decode-30002')?.config).toMatchObject({ probe: false, headers: {}, foundBy: 'workers', role: 'decode' });
  });

  it('on a host that nobody named is not visited', () => {
    const { tell, members } = stack('http://10.0.0.5:30001');
    expect(tell(worker('http://not a url'), worker('http://169.254.169.254'), worker('http://10.0.0.6:30002'))).toMatchObject([
      {},
      { url: 'http://169.254.169.254' },
      {},
    ]);
    expect(members.size).toBe(1);
  });

  it('under a path that we would not ask is not visited', () => {
    const { members, tell } = stack('http://127.0.0.1:30001');
    tell(worker('http://127.0.0.1:9/%3Cimg%20src=x%3E'), worker('http://127.0.0.1:9/a/../flush_cache'), worker('http://127.0.0.1:9/engine'));
    expect([...members.values()].map((each) => each.target.url).slice(1)).toEqual(['http://127.0.0.1:9/a/../flush_cache', 'http://127.0.0.1:9/engine']);
  });

  it('that a far front-end calls 127.0.0.1 is on that front-end’s host, not on ours', () => {
    const { tell, members } = stack('http://10.0.0.5:30001');
    tell(worker('http://127.0.0.1:30002'));
    expect(members.get('s.decode-30002')?.config.url).toBe('http://10.0.0.5:30002');
  });

  it('is one of few: a hostile list does not fill our memory', () => {
    const { tell, members } = stack('http://127.0.0.1:30001');
    tell(...Array.from({ length: 2_000 }, (_, i) => worker(`http://127.0.0.1:${1_024 + i}`)));
    expect(members.size).toBeLessThanOrEqual(65);
  });

  it('is forgotten ten minutes after no list names it', async () => {
    const { tell, members, clock } = stack('http://127.0.0.1:30001');
    tell(worker('http://127.0.0.1:30002'));
    tell();
    await clock.advance(590_000);
    tell();
    expect(members.size).toBe(2);
    await clock.advance(20_000);
    tell();
    expect(members.size).toBe(1);
  });
});
