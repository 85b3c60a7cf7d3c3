import { expect, test } from 'vitest';
import openapi from './openapi.json/openapi.json';
import { complaint, type Description, triesOf } from './truth';

const description = openapi as unknown as Description;
const healthz = triesOf(description, {}).find((each) => each.path === '/api/healthz');
const right = { collecting: true, why: 'w', state: 'running', startedAt: 1, frameAgeMs: null, restarts: 0, lastError: null, loops: [] };
const said = (body: unknown, status = 200, type = 'application/json') =>
  healthz === undefined ? 'not described' : complaint(description, healthz, { status, type, body: JSON.stringify(body) });

test('an answer as described is not complained about', () => {
  expect(said(right)).toBeUndefined();
});

test.each([
  ['a missing member', { ...right, why: undefined }],
  ['a wrong type', { ...right, restarts: 'none' }],
  ['a word that is not listed', { ...right, state: 'tired' }],
  ['a member that is not described', { ...right, secret: 1 }],
  ['a wrong member inside a list', { ...right, loops: [{ name: 1 }] }],
])('%s is complained about', (_what, body) => {
  expect(said(body)).toContain('its schema refuses');
});

test('another status and another type are complained about', () => {
  expect(said(right, 418)).toContain('answered 418');
  expect(said(right, 200, 'text/html')).toContain('text/html');
});
