import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { recordedBy } from './fixtures/recorded';
import { recogniseTarget } from './recognise';

const { recorded, answers } = recordedBy((path) => readFileSync(fileURLToPath(new URL(`./fixtures/${path}`, import.meta.url)), 'utf8'));

describe('recogniseTarget', () => {
  const pd = 'sglang-0.5.23/pd';

  it.each([
    [
      'the gateway before real engines',
      {
        '/liveness': `${pd}/pd-router-get-liveness.http`,
        '/v1/models': `${pd}/pd-router-get-v1-models.http`,
        '/ping': `${pd}/pd-router-get-ping.http`,
        '/model_info': `${pd}/pd-router-get-model-info.http`,
        '/get_model_info': `${pd}/pd-router-get-get-model-info.http`,
        '/workers': `${pd}/pd-router-get-workers.http`,
      },
      { kind: 'sglang-router', role: 'router' },
    ],
    [
      'the gateway before stub engines',
      {
        '/liveness': 'sglang-router-0.3.2/gateway/liveness.http',
        '/v1/models': 'sglang-router-0.3.2/gateway/v1_models.http',
        '/get_model_info': 'sglang-router-0.3.2/gateway/get_model_info.http',
      },
      { kind: 'sglang-router', role: 'router' },
    ],
    [
      'mini_lb before real engines',
      {
        '/liveness': `${pd}/pd-minilb-get-liveness.http`,
        '/ping': `${pd}/pd-minilb-get-ping.http`,
        '/v1/models': `${pd}/pd-minilb-get-v1-models.http`,
        '/model_info': `${pd}/pd-minilb-get-model-info.http`,
        '/get_model_info': `${pd}/pd-minilb-get-get-model-info.http`,
        '/workers': `${pd}/pd-minilb-get-workers.http`,
      },
      { kind: 'mini-lb', role: 'balancer' },
    ],
    [
      'a prefill',
      {
        '/ping': `${pd}/pd-prefill-get-ping.http`,
        '/v1/models': `${pd}/pd-prefill-get-v1-models.http`,
        '/model_info': `${pd}/pd-prefill-get-model-info.http`,
        '/v1/loads': `${pd}/pd-prefill-get-v1-loads-include-all.http`,
      },
      { kind: 'sglang', role: 'prefill', version: '0.5.23' },
    ],
    ['a decode', { '/ping': `${pd}/pd-decode-get-ping.http`, '/model_info': `${pd}/pd-decode-get-model-info.http` }, { kind: 'sglang', role: 'decode' }],
    [
      'a unified engine',
      {
        '/ping': 'sglang-0.5.23/get-ping.http',
        '/v1/models': 'sglang-0.5.23/get-v1-models.http',
        '/model_info': 'sglang-0.5.23/get-model-info.http',
        '/liveness': 'sglang-0.5.23/get-liveness.http',
        '/server_info': 'sglang-0.5.23/get-server-info.http',
      },
      { kind: 'sglang', role: 'unified', version: '0.5.23' },
    ],
    [
      'vLLM',
      {
        '/ping': 'vllm-0.32.0/get_ping.http',
        '/v1/models': 'vllm-0.32.0/get_v1_models.http',
        '/version': 'vllm-0.32.0/get_version.http',
        '/get_model_info': 'vllm-0.32.0/get_get_model_info.http',
      },
      { kind: 'vllm', role: 'unified', version: '0.32.0' },
    ],
  ])('knows %s by recorded answers', (_, files, expected) => {
    expect(recogniseTarget(answers(files))).toMatchObject(expected);
  });

  const said = (path: string, status: number, body = '') => ({ [path]: { path, status, body, tookMs: 1 } });
  const lacks = (...paths: string[]) => Object.assign({}, ...paths.map((path) => said(path, 404, '{"detail":"Not Found"}')));

  it('knows mini_lb although its first prefill is gone', () => {
    expect(
      recogniseTarget({
        ...lacks('/liveness', '/ping', '/version', '/workers'),
        ...said('/v1/models', 500, 'Internal Server Error'),
        ...said('/model_info', 500),
      }),
    ).toMatchObject({ kind: 'mini-lb', role: 'balancer' });
  });

  it('tells the role of an engine from its metrics page when it says nothing else', () => {
    const page = recorded(`${pd}/pd-decode-metrics-load.prom`);
    expect(recogniseTarget({ ...said('/ping', 401), ...said('/liveness', 401), ...said('/v1/models', 401), ...said('/metrics', 200, page) })).toMatchObject({
      kind: 'sglang',
      role: 'decode',
    });
  });

  it('never takes the health server of a further node for an engine', () => {
    expect(recogniseTarget({ ...said('/ping', 200), ...lacks('/v1/models', '/model_info', '/liveness') })).toMatchObject({ kind: 'dummy' });
  });

  it('says what is no LLM server, and what gave no answer or asks for a key', () => {
    expect(recogniseTarget({ ...said('/v1/models', 404, 'not here'), ...said('/liveness', 404), ...said('/ping', 404) })).toMatchObject({ kind: 'not-llm' });
    expect(recogniseTarget({ ...said('/v1/models', 200, '<html>'), ...said('/liveness', 200, '<html>') })).toMatchObject({
      kind: 'not-llm',
      why: expect.stringContaining('no model list'),
    });
    expect(recogniseTarget({ '/v1/models': { path: '/v1/models', failure: 'refused', tookMs: 1 } })).toMatchObject({
      kind: 'unknown',
      why: 'no HTTP answer: refused',
    });
    expect(recogniseTarget(answers({ '/v1/models': 'vllm-0.32.0/apikey-401_v1_models.http' }))).toMatchObject({
      kind: 'unknown',
      why: '/v1/models asks for a key (401)',
    });
  });

  it('takes any other model list for an OpenAI-compatible server', () => {
    expect(recogniseTarget({ ...said('/v1/models', 200, '{"object":"list","data":[{"id":"m"}]}'), ...lacks('/liveness') })).toMatchObject({
      kind: 'openai',
      role: 'unified',
    });
  });
});
