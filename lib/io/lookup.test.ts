import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { realClock } from './clock';
import { beginExchange } from './exchange';
import { sharedLookup } from './lookup';
import { pageReader } from './page';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

/** A resolver whose answers are given by hand; `asked` are the names that hold a thread. */
function resolver() {
  let now = 0;
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const lookup = sharedLookup(
    (name, _options, answer) => {
      asked.push(name);
      answers.set(name, () => answer(null, [{ address: '127.0.0.1', family: 4 }]));
    },
    () => now,
  );
  const want = (name: string, all = false) => new Promise((resolve) => lookup(name, { all }, (_error, address) => resolve(address)));
  const reply = (name: string, afterMs: number) => {
    now += afterMs;
    asked.splice(asked.indexOf(name), 1);
    answers.get(name)?.();
  };
  return { asked, want, reply };
}

it('asks for a name once at a time, whoever wants it, and answers each in its form', async () => {
  const { asked, want, reply } = resolver();
  const both = [want('a'), want('a', true)];
  expect(asked).toEqual(['a']);
  reply('a', 5);
  expect(await Promise.all(both)).toEqual(['127.0.0.1', [{ address: '127.0.0.1', family: 4 }]]);
});

it('names that were slow wait for each other and never for the others, until they are quick again', async () => {
  const { asked, want, reply } = resolver();
  for (const name of ['slow-1', 'slow-2', 'slow-3']) {
    void want(name);
    reply(name, 10_000);
  }
  for (const name of ['slow-1', 'slow-2', 'slow-3', 'good']) void want(name);
  expect(asked).toEqual(['slow-1', 'good']);
  reply('slow-1', 20);
  expect(asked).toEqual(['good', 'slow-2']);
  void want('slow-1');
  expect(asked).toEqual(['good', 'slow-2', 'slow-1']);
});

it('serves chats and pages alike, and the mark of the name is set', async () => {
  const server = createServer((_request, response) => response.end('up 1\n'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const names: string[] = [];
  const lookup = sharedLookup((name, _options, answer) => {
    names.push(name);
    answer(null, [{ address: '127.0.0.1', family: 4 }]);
  });
  const exchange = beginExchange({ method: 'GET', url: `http://chat.test:${port}/health`, headers: {} }, { clock: realClock(), lookup });
  expect((await exchange.ended).marks.resolved).toBeDefined();
  const pages = pageReader(realClock(), lookup);
  cleanups.push(() => pages.close());
  expect(await pages.read(`http://page.test:${port}/metrics`, { timeoutMs: 5_000, byteCap: 1_000 })).toMatchObject({ outcome: 'ok', body: 'up 1\n' });
  expect(names).toEqual(['chat.test', 'page.test']);
});
