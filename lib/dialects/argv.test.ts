import { describe, expect, it } from 'vitest';
import { dialects } from './index';
import { redact, redactArgv, redactText } from './redact';

const kinds = (line: string) => Object.entries(dialects).flatMap(([kind, dialect]) => (dialect.cmdline(line.split(' ')) === undefined ? [] : [kind]));
const read = (line: string) =>
  Object.values(dialects)
    .map((dialect) => dialect.cmdline(line.split(' ')))
    .find((finding) => finding !== undefined);

describe('command lines', () => {
  it.each([
    ['python -m sglang.launch_server --model-path m --port 30000', 'sglang'],
    ['/venv/bin/python3.11 -u -m sglang.launch_server --model m', 'sglang'],
    ['/venv/bin/python /venv/bin/sglang serve --model-path m', 'sglang'],
    ['sglang serve --model-path m', 'sglang'],
    ['python /src/sglang/launch_server.py --model m', 'sglang'],
    ['sglang::router', 'sglang-router'],
    ['smg::router', 'sglang-router'],
    ['python -m sglang_router.launch_router --worker-urls http://a:1', 'sglang-router'],
    ['python -m sglang_router.launch_server --model-path m', 'sglang-router'],
    ['/usr/local/bin/sglang-router launch --port 1', 'sglang-router'],
    ['smg launch --worker-urls http://a:1', 'sglang-router'],
    ['amg launch', 'sglang-router'],
    ['sgl-router --port 1', 'sglang-router'],
    ['python -m sglang.srt.disaggregation.launch_lb --rust-lb --prefill http://a:1', 'sglang-router'],
    ['python -m sglang.srt.disaggregation.launch_lb --prefill http://a:1', 'mini-lb'],
    ['python -m sglang.srt.disaggregation.mini_lb --prefill http://a:1 --decode http://b:2', 'mini-lb'],
    ['python -m sglang_router.launch_router --pd-disaggregation --mini-lb --prefill http://a:1 8998', 'mini-lb'],
    ['/venv/bin/python3 /venv/bin/vllm serve /models/tiny --port 30200', 'vllm'],
    ['vllm serve m', 'vllm'],
    ['python -m vllm.entrypoints.openai.api_server --model m', 'vllm'],
  ])('%s is %s', (line, kind) => {
    expect(kinds(line)).toEqual([kind]);
  });

  it.each([
    'sglang::scheduler',
    'sglang::scheduler_TP0',
    'sglang::scheduler_DP1_TP0_EP0',
    'sglang::detokenizer',
    'sglang::data_parallel_controller',
    'sglang::tokenizer_worker:12',
    'sglang::server',
    'VLLM::EngineCore',
    'VLLM::Worker',
    'bash -c python -m sglang.launch_server --port 1',
    'grep sglang.launch_server',
    'vim sglang/launch_server.py',
    'python -B -c from multiprocessing.resource_tracker import main;main(6)',
    'python -m pytest sglang.launch_server',
    'pip install vllm serve',
    'tail -f sglang-router.log',
    'kubectl logs vllm serve',
  ])('%s is none of ours', (line) => {
    expect(kinds(line)).toEqual([]);
  });

  it('tells role, address and rank, in either form of a flag, also from one string', () => {
    expect(read('python -m sglang.launch_server --port=30002 --host 0.0.0.0 --disaggregation-mode=decode --served-model-name tiny --node-rank 0')).toEqual({
      kind: 'sglang',
      role: 'decode',
      host: '0.0.0.0',
      port: 30002,
      model: 'tiny',
      workers: [],
    });
    expect(dialects.sglang.cmdline(['python -m sglang.launch_server --port 30000 --disaggregation-mode prefill --node-rank=3'])).toMatchObject({
      role: 'prefill',
      port: 30000,
      nodeRank: 3,
    });
    expect(read('python -m sglang.launch_server --model-path m')).toMatchObject({ role: 'unified' });
    expect(read('python -m sglang.launch_server --config x.yaml')).toMatchObject({ role: 'unknown' });
    expect(read('python -m sglang.launch_server --port none')).not.toHaveProperty('port');
  });

  it('tells the workers and the metrics port of a gateway', () => {
    expect(
      read(
        'sglang-router launch --pd-disaggregation --prefill http://a:1 8998 --prefill http://b:1 none --decode http://c:2 --prometheus-port 29005 --port 30001',
      ),
    ).toEqual({
      kind: 'sglang-router',
      role: 'router',
      port: 30001,
      metricsPort: 29005,
      workers: [
        { url: 'http://a:1', role: 'prefill' },
        { url: 'http://b:1', role: 'prefill' },
        { url: 'http://c:2', role: 'decode' },
      ],
    });
    expect(read('smg launch --worker-urls http://a:1 http://b:2')?.workers.map(({ url, role }) => [url, role])).toEqual([
      ['http://a:1', 'unified'],
      ['http://b:2', 'unified'],
    ]);
  });
});

describe('redact', () => {
  it('takes keys out of fields and out of the launch command of a recorded reply', () => {
    const reply = {
      api_key: 'sk-1',
      admin_api_key: 'sk-2',
      api_keys: null,
      hf_token: 'hf_3',
      max_total_tokens: 4096,
      tokenizer_path: '/m',
      launch_command: '--port 1 --api-key sk-1 --admin-api-key=sk-2 --max-total-tokens 4096',
      internal_states: [{ api_key: 'sk-1' }],
    };
    const shown = JSON.stringify(redact(reply));
    expect(shown).not.toMatch(/sk-|hf_3/);
    expect(redact(reply)).toMatchObject({
      max_total_tokens: 4096,
      tokenizer_path: '/m',
      launch_command: '--port 1 --api-key REDACTED --admin-api-key=REDACTED --max-total-tokens 4096',
    });
  });

  it('takes keys out of a command line, in one word or many', () => {
    expect(redactArgv(['sglang', 'serve', '--api-key', 'two words', '--port', '1', '--hf-token=abc', '--tokenizer-path', '/t'])).toBe(
      'sglang serve --api-key REDACTED --port 1 --hf-token=REDACTED --tokenizer-path /t',
    );
    expect(redactArgv(['smg launch --control-plane-api-keys a:b --port 1'])).toBe('smg launch --control-plane-api-keys REDACTED --port 1');
    expect(redactArgv(['x', '--control-plane-api-keys', 'a:b', 'c:d', '--port', '1'])).toBe('x --control-plane-api-keys REDACTED REDACTED --port 1');
  });

  it('takes bearer tokens, URL credentials and quoted keys out of any text', () => {
    expect(redactText('Authorization: Bearer abc.def-123 and http://me:p@pw@host/x {"api_key": "sk-9"} X-API-Key: zzz')).not.toMatch(/abc|pw@|sk-9|zzz/);
  });

  it('stands very deep and very long foreign payloads', () => {
    let deep: unknown = { api_key: 'x' };
    for (let level = 0; level < 5000; level += 1) deep = [deep];
    expect(JSON.stringify(redact(deep))).not.toContain('api_key');
    for (const piece of ['--api-key ', '-', '--token "', 'http://', 'bearer ', 'api_key=', ' ', '--x-'])
      expect(redactText(piece.repeat(30_000)).length, piece).toBeGreaterThan(0);
  });
});
