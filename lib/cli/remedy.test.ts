import { expect, it } from 'vitest';
import { remedy } from './remedy.mjs';

it.each([
  ['npm error code ENOSPC', 'The disk is full'],
  ["EACCES: permission denied, mkdir '/srv/ww/node_modules'", 'There is no permission'],
  ['npm error network request to https://registry.npmjs.org/next failed, reason: getaddrinfo EAI_AGAIN', 'No npm registry could be reached'],
  ['npm error code SELF_SIGNED_CERT_IN_CHAIN', 'certificate'],
  ['npm error code EUSAGE', 'do not agree'],
])('tells what to do about %s', (words, said) => {
  expect(remedy(words)).toContain(said);
});

it('says nothing about what it does not know', () => {
  expect(remedy('Type error: foo')).toBe('');
});
