import { expect, it } from 'vitest';
import { hider } from './hide';

const hide = hider(['sk-0123456789', 'team-value', 'none']);

it('takes a secret out wherever it stands', () => {
  expect(hide('Incorrect key sk-0123456789 of team-value: sk-0123456789')).toBe('Incorrect key HIDDEN of HIDDEN: HIDDEN');
});

it('takes out what a cut has left of a secret at either end', () => {
  expect(hide('the key sk-01234')).toBe('the key HIDDEN');
  expect(hide('3456789 is wrong')).toBe('HIDDEN is wrong');
  expect(hide('sk-012')).toBe('HIDDEN');
});

it('leaves other text, and words too short to be a secret, as they are', () => {
  expect(hide('56789 is none of sk-01')).toBe('56789 is none of sk-01');
  expect(hider([])('sk-0123456789')).toBe('sk-0123456789');
});
