import { describe, expect, test } from 'vitest';
import { maskHosts } from './mask';

const masked = (value: unknown) => JSON.parse(maskHosts(JSON.stringify(value)));

describe('masking', () => {
  test('gives each host one name everywhere, and leaves the ports', () => {
    expect(
      masked({
        url: 'http://10.0.0.7:30001',
        other: 'https://gpu-17.cluster.internal/v1',
        sentence: 'connect 10.0.0.7:30001 from gpu-17.cluster.internal failed; 10.0.0.70 did not',
        id: 'lab.10-0-0-7-30001',
      }),
    ).toEqual({
      url: 'http://host-1:30001',
      other: 'https://host-2/v1',
      sentence: 'connect host-1:30001 from host-2 failed; host-3 did not',
      id: 'lab.host-1-30001',
    });
  });

  test('leaves words of ours alone that are hosts as well', () => {
    expect(masked(['http://decode:30002/health', 'requests stop at decode', 'decode:30002 refuses', 'num_decode_transfer_queue_reqs'])).toEqual([
      'http://host-1:30002/health',
      'requests stop at decode',
      'host-1:30002 refuses',
      'num_decode_transfer_queue_reqs',
    ]);
  });

  test('finds the hosts of a command line and those with a user before them or in brackets', () => {
    expect(
      masked([
        'python -m sglang.launch_server --host node-a --dist-init-addr node-b.lan:5000 --port 30000',
        'curl http://someone@node-c.lan/',
        'http://[2001:db8::7]:8000/v1',
        'node-a is up',
      ]),
    ).toEqual([
      expect.stringMatching(/--host host-\d --dist-init-addr host-\d:5000 --port 30000/),
      expect.stringMatching(/^curl http:\/\/someone@host-\d\/$/),
      expect.stringMatching(/^http:\/\/host-\d:8000\/v1$/),
      expect.stringMatching(/^host-\d is up$/),
    ]);
  });

  test('takes no version for an address', () => {
    expect(masked(['sglang 0.5.23', 'vllm 0.11.2'])).toEqual(['sglang 0.5.23', 'vllm 0.11.2']);
  });
});
