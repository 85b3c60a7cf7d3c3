import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { startCommand } from '../command';
import { until } from '../processes';

/** What runs of before have sent to the same ports is none of these tests'. */
const STATE = { XDG_STATE_HOME: mkdtempSync(join(tmpdir(), 'wedgewatch-diagnose-')) };
const servers: { server: Server; sockets: Set<Socket> }[] = [];
afterAll(() => {
  rmSync(STATE.XDG_STATE_HOME, { recursive: true });
  for (const { server, sockets } of servers) {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
});

async function listen(server: Server): Promise<{ address: string; sockets: Set<Socket> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  servers.push({ server, sockets });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, sockets };
}

const http = (listener: RequestListener) => listen(createServer(listener));

/** Lists a model and answers its health; what a chat gets is told. `asked` counts chats. */
async function frontEnd(chat: RequestListener) {
  const asked: { authorization?: string; closed: boolean }[] = [];
  const server = await http((request, response) => {
    if (request.url === '/v1/models') response.setHeader('content-type', 'application/json').end('{"object":"list","data":[{"id":"tiny","object":"model"}]}');
    else if (request.url === '/health') response.end('OK');
    else if (request.method !== 'POST') response.writeHead(404).end();
    else {
      const one = { ...(request.headers.authorization === undefined ? {} : { authorization: request.headers.authorization }), closed: false };
      asked.push(one);
      response.on('close', () => {
        one.closed = true;
      });
      chat(request, response);
    }
  });
  return { ...server, asked };
}

const good: RequestListener = (request, response) => {
  let body = '';
  request.on('data', (piece) => {
    body += piece;
  });
  request.on('end', () => {
    if (JSON.parse(body).stream !== true) {
      response.setHeader('content-type', 'application/json');
      response.end('{"choices":[{"index":0,"message":{"role":"assistant","content":"one"},"finish_reason":"length"}],"usage":{"completion_tokens":1}}');
      return;
    }
    response.setHeader('content-type', 'text/event-stream');
    response.end('data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"one"}}]}\n\ndata: [DONE]\n\n');
  });
};
const mute: RequestListener = () => {};

/** The command as typed, its exit code and all it said. */
async function diagnose(...args: string[]): Promise<{ code: number | string; said: string }> {
  const command = startCommand('diagnose.mjs', args, { env: STATE });
  return { code: await command.ended, said: command.said() };
}

describe.concurrent('npm run diagnose', () => {
  it('ends with 0 when every chat is answered, and writes nothing but JSON to standard output when asked', async () => {
    const { address } = await frontEnd(good);
    const { code, said } = await diagnose('--tries', '1', '--json', address);
    expect(code).toBe(0);
    expect(JSON.parse(said.slice(said.indexOf('\n{') + 1))).toMatchObject({ verdict: 'ok', exitCode: 0, conclusion: { kind: 'none-hangs' } });
  });

  it('ends with 20 when chats get no answer, having sent two and left no socket', async () => {
    const { address, asked, sockets } = await frontEnd(mute);
    const { code, said } = await diagnose('--timeout', '1', address);
    expect(code).toBe(20);
    expect(said).toMatch(/HANGING at engine 127\.0\.0\.1:\d+\n$/);
    expect(asked).toHaveLength(2);
    await until(
      () => sockets.size === 0 && asked.every((one) => one.closed),
      10_000,
      () => `${sockets.size} sockets are still open`,
    );
  });

  it('ends with the worst of several: 30 for a closed port beside a good front-end', async () => {
    const { address } = await frontEnd(good);
    const { code, said } = await diagnose('--tries', '1', address, 'http://127.0.0.1:1');
    expect(code).toBe(30);
    expect(said).toMatch(/DOWN +127\.0\.0\.1:1 .*no HTTP answer/);
    expect(said).toMatch(/OK +127\.0\.0\.1:\d+/);
  });

  it('ends with 40 for a name that does not resolve, a plain web server, and a key that is missing', async () => {
    const web = await http((_request, response) => response.setHeader('content-type', 'text/html').end('<html>hello</html>'));
    const locked = await frontEnd((_request, response) => response.writeHead(401).end());
    const [name, plain, key] = await Promise.all([
      diagnose('--tries', '1', 'http://no-such-host.invalid:8000'),
      diagnose(web.address),
      diagnose('--tries', '1', locked.address),
    ]);
    expect([name.code, plain.code, key.code]).toEqual([40, 40, 40]);
    expect(name.said).toMatch(/does not resolve/);
    expect(plain.said).toMatch(/not an LLM server/);
    expect(key.said).toMatch(/key; at engine .*401/);
  });

  it('ends with 20 for a TLS server that never shakes hands, and says so', async () => {
    const { address } = await listen(createTcpServer(() => {}));
    const { code, said } = await diagnose('--timeout', '1', `https://${address}`);
    expect(code).toBe(20);
    expect(said).toMatch(/no TLS\s+handshake/);
  });

  it('ends with 64 and the reason when the command line cannot be read', async () => {
    const wrong = [
      [],
      ['--nope'],
      ['ftp://x'],
      ['http://user:pw@x'],
      ['--key-env', 'NO_SUCH_KEY_HERE', 'x'],
      ['--tries', '9', 'x'],
      ['--json', '--markdown', 'x'],
    ];
    const ends = await Promise.all(wrong.map((args) => diagnose(...args)));
    expect(ends.map(({ code }) => code)).toEqual(wrong.map(() => 64));
    expect(ends.map(({ said }) => said).join()).not.toContain('pw@');
  });

  it('tells its options and exit codes when asked', async () => {
    const { code, said } = await diagnose('--help');
    expect(code).toBe(0);
    expect(said).toMatch(/--engine URL[\s\S]*20 hanging, 30 down/);
    expect(said.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('sends the key that it was pointed to and shows it nowhere', async () => {
    const { address, asked } = await frontEnd((request, response) => response.writeHead(401).end(`no: ${request.headers.authorization}`));
    const command = startCommand('diagnose.mjs', ['--tries', '1', '--markdown', '--key-env', 'OUR_KEY', address], {
      env: { ...STATE, OUR_KEY: 'sk-very-secret' },
    });
    expect(await command.ended).toBe(40);
    expect(asked[0]?.authorization).toBe('Bearer sk-very-secret');
    expect(command.said()).not.toContain('sk-very-secret');
    expect(command.said()).toContain('Bearer $API_KEY');
  });

  it('ends early at Ctrl-C with what is known, and leaves no socket', async () => {
    const { address, asked, sockets } = await frontEnd(mute);
    const command = startCommand('diagnose.mjs', ['--timeout', '60', address], { env: STATE });
    await until(
      () => asked.length > 0,
      30_000,
      () => `no chat came: ${command.said()}`,
    );
    command.kill('SIGINT');
    expect(await command.ended).toBe(50);
    expect(command.said()).toMatch(/ended early/);
    await until(
      () => sockets.size === 0,
      10_000,
      () => `${sockets.size} sockets are still open`,
    );
  });
});
