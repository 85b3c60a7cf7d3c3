import { describe, expect, it } from 'vitest';
import { dialects } from '@/lib/dialects';
import { FINGERPRINT_PATHS } from '@/lib/dialects/recognise';
import type { Dialect } from '@/lib/model/dialect';
import { isAllowed, isControlCall } from './allow';

describe('isAllowed', () => {
  it.each([
    '/flush_cache',
    '/start_profile',
    '/stop_profile',
    '/release_memory_occupation',
    '/pause_generation',
    '/abort_request',
    '/slow_down',
    '/freeze_gc',
    '/get_load',
    '/get_loads',
    '/',
    '/docs',
  ])('never lets GET %s out', (path) => {
    expect(isAllowed('GET', path)).toBe(false);
    expect(isAllowed('POST', path)).toBe(false);
    expect(isAllowed('GET', `/prefix${path}`)).toBe(false);
  });

  it.each([
    '/health/../flush_cache',
    '/flush_cache/..//health',
    '/%66lush_cache',
    '//flush_cache/health',
    '/flush_cache?x=/health',
    '/flush_cache#/health',
    'health',
    '',
  ])('does not fall for %s', (path) => {
    expect(isAllowed('GET', path)).toBe(false);
  });

  it('lets out what the dialects ask', () => {
    const asked = Object.values<Dialect>(dialects).flatMap((dialect) => [
      ...dialect.health.map((health) => health.path),
      dialect.workersPath?.path ?? '/metrics',
    ]);
    expect([...asked, ...FINGERPRINT_PATHS, '/v1/loads?include=all', '/base/v1/models'].filter((path) => !isAllowed('GET', path))).toEqual([]);
  });

  it('lets chats out by POST only, and nothing by other methods', () => {
    expect(isAllowed('POST', '/v1/chat/completions')).toBe(true);
    expect(isAllowed('GET', '/v1/chat/completions')).toBe(false);
    expect(['PUT', 'DELETE', 'HEAD', 'get'].filter((method) => isAllowed(method, '/health'))).toEqual([]);
  });
});

describe('isControlCall', () => {
  it('knows the questions that a wedged scheduler leaves open, and asks none of them to recognise a target', () => {
    expect(isControlCall('/server_info')).toBe(true);
    expect(isControlCall('/get_server_info')).toBe(true);
    expect(isControlCall('/v1/loads?include=all')).toBe(true);
    expect(FINGERPRINT_PATHS.filter(isControlCall)).toEqual([]);
  });
});
