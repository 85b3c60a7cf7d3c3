import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../config';
import { minimalConfig, plan } from './words';

const target = { id: 'here.router', name: 'router', url: 'http://127.0.0.1:30001', headers: { 'x-secret': 'hush' }, probe: true };
const config = defaultConfig([{ id: 'here', name: 'here', targets: [target] }], { argv: [], cwd: '/tmp' });

describe('what is told before the first probe', () => {
  it('names the targets, the probes and the tokens a minute', () => {
    expect(plan(config, false)).toMatch(/router\s+http:\/\/127\.0\.0\.1:30001[\s\S]*every 10 to 14 s: about 5\.0 probes and \d+ tokens a minute/);
  });

  it('says that no chat is sent when only looking', () => {
    expect(plan(config, true)).toContain('no chat is sent');
    expect(plan({ ...config, probe: { ...config.probe, enabled: false } }, false)).toContain('no chat is sent');
  });

  it('shows no header', () => {
    expect(plan(config, false)).not.toContain('hush');
  });

  it('shows a configuration to begin with when nothing was found', () => {
    expect(minimalConfig()).toContain('stacks:');
  });
});
