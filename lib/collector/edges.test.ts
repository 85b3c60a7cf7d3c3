import { expect, it } from 'vitest';
import type { Role, Target } from '@/lib/model/target';
import { edgesOf } from './edges';

const target = (id: string, role: Role, kind: Target['kind'] = 'sglang'): Target => ({
  id,
  stack: 's',
  name: id,
  url: `http://${id}`,
  kind,
  role,
  known: ['config'],
  probed: true,
});
const [router, lb, prefill, decode] = [
  target('r', 'router', 'sglang-router'),
  target('b', 'balancer', 'mini-lb'),
  target('p', 'prefill'),
  target('d', 'decode'),
];

it('routes and pairs are inferred where no front-end lists its workers', () => {
  expect(edgesOf([{ target: router }, { target: prefill }, { target: decode }])).toEqual([
    { from: 'r', to: 'p', kind: 'routes', known: 'inferred' },
    { from: 'r', to: 'd', kind: 'routes', known: 'inferred' },
    { from: 'p', to: 'd', kind: 'kv', known: 'inferred' },
  ]);
});

it('a list decides what a front-end is joined to, and how that is known', () => {
  const other = target('d2', 'decode');
  const listed = ['p', 'd'].map((id) => ({ url: `http://${id}`, role: 'unknown' as const, target: id }));
  const edges = edgesOf([
    { target: router, listed },
    {
      target: lb,
      listed: [
        { url: 'http://p', role: 'prefill', target: 'p' },
        { url: 'http://x', role: 'decode' },
      ],
    },
    { target: prefill },
    { target: decode },
    { target: other },
  ]);
  expect(edges.map((edge) => `${edge.from}-${edge.kind}-${edge.to} ${edge.known}`)).toEqual([
    'r-routes-p workers',
    'r-routes-d workers',
    'b-routes-p server-info',
    'p-kv-d inferred',
  ]);
});

it('a list that tells one half of a pair only is joined to the other half that is there', () => {
  const edges = edgesOf([{ target: lb, listed: [{ url: 'http://p', role: 'prefill', target: 'p' }] }, { target: prefill }, { target: decode }]);
  expect(edges.map((edge) => `${edge.from}-${edge.kind}-${edge.to} ${edge.known}`)).toEqual([
    'b-routes-p server-info',
    'b-routes-d inferred',
    'p-kv-d inferred',
  ]);
});

it('a pair without any front-end is still a pair', () => {
  expect(edgesOf([{ target: prefill }, { target: decode }])).toEqual([{ from: 'p', to: 'd', kind: 'kv', known: 'inferred' }]);
});

it('in a mixed stack a front-end without a list stands before the engines of its own family', () => {
  const [vllmRouter, vllm] = [target('vr', 'router', 'vllm-router'), target('v', 'unified', 'vllm')];
  const members = [router, vllmRouter, prefill, decode, vllm].map((one) => ({ target: one }));
  expect(edgesOf(members).map((edge) => `${edge.from}-${edge.to}`)).toEqual(['r-p', 'r-d', 'vr-v', 'p-d']);
  expect(edgesOf([{ target: router }, { target: vllm }]).map((edge) => `${edge.from}-${edge.to}`)).toEqual(['r-v']);
});
