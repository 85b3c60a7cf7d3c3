import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultConfig, type Loaded, loadConfig, publicConfig, resolveSecret } from './config';
import { DEFAULTS } from './model/config';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'wedgewatch-config-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

function load(text: string | Buffer, env: Record<string, string> = {}): Loaded {
  writeFileSync(join(folder, 'wedgewatch.yaml'), text);
  return loadConfig({ argv: [], env, cwd: folder });
}

function errors(text: string | Buffer, env?: Record<string, string>): string[] {
  const loaded = load(text, env);
  return 'errors' in loaded ? loaded.errors : [];
}

function config(text: string, env?: Record<string, string>) {
  const loaded = load(text, env);
  if ('errors' in loaded) throw new Error(loaded.errors.join('\n'));
  return loaded.config;
}

const GOOD = 'stacks:\n  - name: Prod EU\n    targets:\n      - {name: Router 1, url: "http://127.0.0.1:30001/"}\n';
const withTarget = (more: string) => `stacks:\n  - name: pd\n    targets:\n      - name: a\n        url: http://h:1\n${more.replace(/^/gm, '        ')}\n`;

describe('a good file', () => {
  it('is filled up with the defaults', () => {
    const read = config(GOOD);
    expect(read).toMatchObject({
      probe: DEFAULTS.probe,
      scrape: DEFAULTS.scrape,
      listen: DEFAULTS.listen,
      retention: DEFAULTS.retention,
      data: join(folder, '.wedgewatch'),
      source: 'wedgewatch.yaml',
      timeScale: 1,
    });
    expect(read.stacks).toEqual([
      {
        id: 'prod-eu',
        name: 'Prod EU',
        targets: [{ id: 'prod-eu.router-1', name: 'Router 1', url: 'http://127.0.0.1:30001', headers: {}, probe: true, foundBy: 'config' }],
      },
    ]);
  });

  it('may begin with a byte order mark, end its lines as Windows does, and leave sections empty', () => {
    expect(config(`\uFEFF${GOOD.replace(/\n/g, '\r\n')}probe:\r\nscrape:\r\n  every:\r\n`).probe).toEqual(DEFAULTS.probe);
  });

  it('carries every setting over in ms and bytes', () => {
    const read = config(
      `${withTarget('kind: vllm\nrole: unified\nmodel: m\nheaders: {X-A: b}\napiKey: {env: KEY}\nmetricsUrl: http://h:2/metrics\ntimeout: 1m30s\nprobe: false')}probe: {every: 20s, firstToken: 5s, gap: 250ms000}\n`.replace(
        '250ms000',
        '1.5s',
      ) +
        'scrape: {every: 2s, timeout: 900ms}\nreference: https://ref/x\nlisten: "[::1]:80"\ndata: sub\nretention: {age: 1d12h, bytes: 500 MB}\nwebhook: {url: "https://hooks/secret?x=1", headers: {X-B: c}}\n',
      { KEY: 'k' },
    );
    expect(read.stacks[0]?.targets[0]).toMatchObject({
      kind: 'vllm',
      role: 'unified',
      model: 'm',
      headers: { 'X-A': 'b' },
      apiKey: { env: 'KEY' },
      metricsUrl: 'http://h:2/metrics',
      timeoutMs: 90_000,
      probe: false,
    });
    expect(read).toMatchObject({
      probe: { everyMs: 20_000, jitterMs: 8000, firstTokenMs: 5000, gapMs: 1500 },
      scrape: { everyMs: 2000, timeoutMs: 900, loadsMs: 2000 },
      reference: 'https://ref/x',
      listen: { host: '::1', port: 80 },
      data: join(folder, 'sub'),
      retention: { ageMs: 36 * 3_600_000, bytes: 500 * 1024 ** 2 },
      webhook: { url: 'https://hooks/secret?x=1', headers: { 'X-B': 'c' } },
    });
  });

  it('is shown without values of headers, webhook path or keys', () => {
    const shown = JSON.stringify(
      publicConfig(config(`${withTarget('headers: {X-A: hidden1}')}webhook: {url: "https://hooks/hidden2", headers: {X-B: hidden3}}\n`)),
    );
    expect(shown).not.toContain('hidden');
    expect(shown).toContain('X-A');
  });
});

describe('where it comes from', () => {
  it('prefers --config over WEDGEWATCH_CONFIG over wedgewatch.yaml', () => {
    for (const name of ['one', 'two', 'wedgewatch']) writeFileSync(join(folder, `${name}.yaml`), GOOD);
    const source = (argv: string[], env: Record<string, string> = {}) => {
      const loaded = loadConfig({ argv, env, cwd: folder });
      return 'config' in loaded ? loaded.config.source : loaded.errors;
    };
    expect(source(['--config', 'one.yaml'], { WEDGEWATCH_CONFIG: 'two.yaml' })).toBe('one.yaml');
    expect(source([`--config=${join(folder, 'one.yaml')}`])).toBe(join(folder, 'one.yaml'));
    expect(source([], { WEDGEWATCH_CONFIG: 'two.yaml' })).toBe('two.yaml');
    expect(source([])).toBe('wedgewatch.yaml');
    expect(source(['--config'])).toEqual(['--config names no file; write --config FILE']);
  });

  it('says when none was written, which is no mistake', () => {
    const empty = mkdtempSync(join(tmpdir(), 'wedgewatch-none-'));
    expect(loadConfig({ argv: [], env: {}, cwd: empty })).toMatchObject({ absent: true, errors: [expect.stringContaining('no wedgewatch.yaml in')] });
    rmSync(empty, { recursive: true });
  });

  it('is not probing with --no-probe', () => {
    writeFileSync(join(folder, 'wedgewatch.yaml'), GOOD);
    expect(loadConfig({ argv: ['--no-probe'], env: {}, cwd: folder })).toMatchObject({ config: { probe: { enabled: false } } });
    expect(defaultConfig([], { argv: ['--no-probe'], cwd: folder })).toMatchObject({ probe: { enabled: false }, source: 'this host' });
  });
});

describe('a mistake', () => {
  it.each([
    [
      'a URL without scheme',
      GOOD.replace('http://127.0.0.1:30001/', 'localhost:30001'),
      'wedgewatch.yaml:4: stacks[0].targets[0].url: "localhost:30001" has no scheme; write http://localhost:30001',
    ],
    [
      'a URL of another scheme',
      GOOD.replace('http:', 'ftp:'),
      'wedgewatch.yaml:4: stacks[0].targets[0].url: "ftp://127.0.0.1:30001/" is neither http nor https; write http://host:port',
    ],
    [
      'a URL with a query',
      GOOD.replace('30001/', '30001/?x=1'),
      'wedgewatch.yaml:4: stacks[0].targets[0].url: "http://127.0.0.1:30001/?x=1" has a query or a fragment; write only http://host:port and a path',
    ],
    [
      'a missing URL',
      'stacks:\n  - name: a\n    targets:\n      - name: b\n',
      'wedgewatch.yaml:4: stacks[0].targets[0].url: is missing; write url: http://host:port',
    ],
    ['a missing stack list', 'probe: {every: 10s}\n', 'wedgewatch.yaml:1: stacks: is missing; name at least one stack with its targets'],
    ['an empty stack list', 'stacks: []\n', 'wedgewatch.yaml:1: stacks: is empty; name at least one stack with its targets'],
    ['stacks that are no list', 'stacks: {name: a}\n', 'wedgewatch.yaml:1: stacks: is no list; write stacks below it, each with a dash'],
    ['a misspelt key', `${GOOD}scrap: {every: 1s}\n`, 'wedgewatch.yaml:5: scrap: is no key that is known here; did you mean scrape?'],
    [
      'a key of another style',
      withTarget('metrics_url: http://h:2'),
      'wedgewatch.yaml:6: stacks[0].targets[0].metrics_url: is no key that is known here; did you mean metricsUrl?',
    ],
    ['a key from nowhere', `${GOOD}retention:\n  forever: true\n`, 'wedgewatch.yaml:6: retention.forever: is no key that is known here; known are age, bytes'],
    [
      'a duration without unit',
      `${GOOD}probe:\n  every: 10\n`,
      'wedgewatch.yaml:6: probe.every: 10 is no duration; write a number with a unit, as 10s, 250ms or 1m30s',
    ],
    ['a duration out of range', `${GOOD}probe:\n  every: 10ms\n`, 'wedgewatch.yaml:6: probe.every: "10ms" is out of range; write something from 1s to 1d'],
    ['a size without unit', `${GOOD}retention: {bytes: 2}\n`, 'wedgewatch.yaml:5: retention.bytes: 2 is no size; write a number with a unit, as 2GB or 500MB'],
    [
      'an unknown kind',
      withTarget('kind: dynamo'),
      'wedgewatch.yaml:6: stacks[0].targets[0].kind: "dynamo" is no kind; write one of sglang, sglang-router, mini-lb, vllm, vllm-router, vllm-proxy, openai, or leave it out and it is found',
    ],
    ['a section that is a value', `${GOOD}probe: 10s\n`, 'wedgewatch.yaml:5: probe: is no group of keys; write its keys below it, indented'],
    ['one token', `${GOOD}probe: {maxTokens: 1}\n`, 'wedgewatch.yaml:5: probe.maxTokens: 1 is too few: with 1 token no decode step runs; write 4 to 8'],
    ['an address without port', `${GOOD}listen: localhost\n`, 'wedgewatch.yaml:5: listen: "localhost" is no address; write host:port, as 127.0.0.1:3030'],
    [
      'a cap below the deadline',
      `${GOOD}probe: {firstToken: 20s, cap: 10s}\n`,
      'wedgewatch.yaml:5: probe.cap: "10s" is not longer than firstToken; a late answer needs time after its deadline, write 600s',
    ],
    [
      'two targets of one name',
      `${GOOD}      - {name: router-1, url: "http://h:1"}\n`,
      'wedgewatch.yaml:5: stacks[0].targets[1].name: "router-1" is the name of target 1 of this list already, or reads the same in a URL; give each target its own',
    ],
    ['a probe switch that is a word', withTarget('probe: nope'), 'wedgewatch.yaml:6: stacks[0].targets[0].probe: "nope" is neither true nor false'],
    ['a missing CA', withTarget('ca: nowhere.pem'), 'wedgewatch.yaml:6: stacks[0].targets[0].ca: "nowhere.pem" does not exist; check the path'],
    [
      'an unset variable',
      withTarget('apiKey: {env: NOT_SET}'),
      'wedgewatch.yaml:6: stacks[0].targets[0].apiKey: environment variable NOT_SET is not set or empty; set it before starting',
    ],
    ['a name that is a number', GOOD.replace('Router 1', '1'), 'wedgewatch.yaml:4: stacks[0].targets[0].name: 1 is no text; put it in quotes'],
    [
      'one address under two names',
      GOOD.replace('127.0.0.1:30001/', 'localhost:30001').concat('      - {name: again, url: "http://127.0.0.1:30001/"}\n'),
      'wedgewatch.yaml:5: stacks[0].targets[1].url: "http://127.0.0.1:30001/" is the address of target Router 1 already; watch each address once',
    ],
    [
      'a path that we would never ask',
      GOOD.replace('30001/', '30001/a%20b'),
      'wedgewatch.yaml:4: stacks[0].targets[0].url: "http://127.0.0.1:30001/a%20b" has a path that is more than letters, digits, dots and dashes; write a plain one',
    ],
    [
      'a header that frames the request',
      withTarget('headers: {Content-Length: "5"}'),
      'wedgewatch.yaml:6: stacks[0].targets[0].headers: must not hold Content-Length, which Wedgewatch sets by itself; take it out',
    ],
    [
      'a header that cannot be sent',
      withTarget('headers: {X-Team: "日本"}'),
      'wedgewatch.yaml:6: stacks[0].targets[0].headers: has a character in X-Team that no header can have; write it without, or encode it',
    ],
    [
      'a name that turns the screen around',
      GOOD.replace('Router 1', '"a\\u202eb"'),
      'wedgewatch.yaml:4: stacks[0].targets[0].name: "a\u202eb" holds a character that cannot be seen; write it anew by hand',
    ],
    [
      'a cap below the usual deadline',
      `${GOOD}probe: {cap: 5s}\n`,
      'wedgewatch.yaml:5: probe.cap: "5s" is not longer than firstToken (8s when not written); a late answer needs time after its deadline, write 600s',
    ],
    ['a bare list', '- a\n', 'wedgewatch.yaml:1: is no configuration; begin with stacks:'],
  ])('is told with place, value and remedy: %s', (_, text, expected) => {
    expect(errors(text)).toEqual([expected]);
  });

  it('comes with all the others, in the order of the file', () => {
    expect(
      errors(
        'stacks:\n  - targets:\n      - {name: a, url: "h:1", port: 5}\n      - {name: a, url: "http://h:1", apiKey: {file: gone}}\nprobe: {gap: soon}\nlisten: x\n',
      ).map((line) => line.split(': ').slice(0, 2).join(': ')),
    ).toEqual([
      'wedgewatch.yaml:2: stacks[0].name',
      'wedgewatch.yaml:3: stacks[0].targets[0].url',
      'wedgewatch.yaml:3: stacks[0].targets[0].port',
      'wedgewatch.yaml:4: stacks[0].targets[1].name',
      'wedgewatch.yaml:4: stacks[0].targets[1].apiKey',
      'wedgewatch.yaml:5: probe.gap',
      'wedgewatch.yaml:6: listen',
    ]);
  });

  it.each([
    ['an inline key', withTarget('apiKey: s3cr3t')],
    ['a key in a wrong group', withTarget('apiKey: {value: s3cr3t}')],
    ['a key where its variable should be named', withTarget('apiKey: {env: "sk-s3cr3t"}')],
    ['an unknown key\u2019s value', withTarget('api-key: s3cr3t')],
    ['credentials in a URL', GOOD.replace('http://', 'http://me:s3cr3t@')],
    ['credentials in a URL without scheme', GOOD.replace('http://', 'me:s3cr3t@')],
    ['credentials where a group should be', 'stacks:\n  - http://me:s3cr3t@h\n'],
    ['a secret header', withTarget('headers: {Authorization: "Bearer s3cr3t"}')],
    ['a header of two lines', withTarget('headers: {X-Tenant: "s3cr3t\\nx"}')],
    ['a bad webhook', `${GOOD}webhook: {url: "hooks/s3cr3t"}\n`],
    ['broken YAML', `${GOOD}      - {name: "s3cr3t, url: http://me:s3cr3t@h\n`],
    ['an undefined alias', `${GOOD}data: *s3cr3t\n`],
    ['credentials in the reference', `${GOOD}reference: http://a:s3cr3t@b\n`],
    ['a variable with a strange value', withTarget('apiKey: {env: KEY}')],
  ])('never repeats a secret: %s', (_, text) => {
    const told = errors(text, { KEY: 's3cr3t s3cr3t' });
    expect(told.length).toBeGreaterThan(0);
    expect(told.join('\n')).not.toContain('s3cr3t');
  });

  it('tells an inline key how to be written', () => {
    expect(errors(withTarget('apiKey: x'))[0]).toContain('write apiKey: {env: NAME} or apiKey: {file: PATH}');
    expect(errors(GOOD.replace('http://', 'http://u:p@'))[0]).toContain('holds credentials; take them out and write apiKey: {env: NAME}');
  });
});

describe('a file that is none', () => {
  it.each([
    ['tabs', 'stacks:\n\t- name: a\n', 'wedgewatch.yaml:2: is no valid YAML: the line'],
    ['an open bracket', 'stacks: [\n', 'wedgewatch.yaml:'],
    ['the same key twice', `${GOOD}listen: "1"\nlisten: "2"\n`, 'wedgewatch.yaml:6: is no valid YAML: the line says a key for the second time; keep one'],
    ['two documents', `${GOOD}---\nx: 1\n`, 'wedgewatch.yaml:5: is no valid YAML: the line begins a second document (---); keep one'],
    ['nothing', '# only a comment\n', 'wedgewatch.yaml: is empty; begin with stacks:'],
    ['zeros', Buffer.alloc(20), 'wedgewatch.yaml: is binary; name a YAML file'],
    ['UTF-16', Buffer.from('\uFEFFstacks:', 'utf16le'), 'wedgewatch.yaml: is UTF-16; save it as UTF-8'],
    ['10 MB', Buffer.alloc(10 * 1024 ** 2, 'a: 1\n'), 'wedgewatch.yaml: is 10.0 MB'],
    [
      'a bomb of aliases',
      `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c]\nstacks: [*d,*d]\n`,
      'wedgewatch.yaml: uses an alias',
    ],
  ])('is told as such: %s', (_, text, expected) => {
    expect(errors(text)[0]).toContain(expected);
  });

  it('is told as such: a directory, a missing file, a file of somebody else', () => {
    const told = (path: string) => {
      const loaded = loadConfig({ argv: ['--config', path], env: {}, cwd: folder });
      return 'errors' in loaded ? loaded.errors : [];
    };
    expect(told('.')).toEqual(['.: is a directory; name the file in it']);
    expect(told('gone.yaml')).toEqual(['gone.yaml: does not exist; check the path']);
    if (process.getuid?.() === 0) return; // root reads everything
    writeFileSync(join(folder, 'locked.yaml'), GOOD);
    chmodSync(join(folder, 'locked.yaml'), 0);
    expect(told('locked.yaml')).toEqual(['locked.yaml: cannot be read by this user; change its owner or mode']);
  });
});

describe('resolveSecret', () => {
  it('reads a variable or a file anew each time, without its last newline', () => {
    const file = join(folder, 'key');
    writeFileSync(file, 'first\n');
    expect(resolveSecret({ file })).toBe('first');
    writeFileSync(file, 'second\n');
    expect(resolveSecret({ file })).toBe('second');
    expect(resolveSecret({ env: 'K' }, { K: ' v ' })).toBe('v');
  });

  it('fails with the place, never the value', () => {
    expect(() => resolveSecret({ env: 'K' }, {})).toThrow(
      expect.objectContaining({ name: 'SecretMissing', message: expect.stringContaining('environment variable K is not set') }),
    );
    expect(() => resolveSecret({ env: 'K' }, { K: 'two words' })).toThrow(/^(?!.*two words).*only the key/);
  });
});
