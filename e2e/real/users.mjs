import { parseArgs } from 'node:util';

// Users of a stack that exists, for scenario files: streams of so many tokens, kept open or left early.
//   users.mjs stream URL... --n 12 --tokens 300 --seconds 90 [--model tiny]     keeps n streams open, ended ones begun anew
//   users.mjs abort  URL... --n 60 --seconds 8 [--model tiny]                   begins n streams over some seconds and leaves each after 20-500 ms
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    n: { type: 'string', default: '10' },
    tokens: { type: 'string', default: '300' },
    seconds: { type: 'string', default: '30' },
    model: { type: 'string', default: 'tiny' },
  },
});
const [what, ...urls] = positionals;
const n = Number(values.n);
const until = Date.now() + Number(values.seconds) * 1000;
const told = { begun: 0, ended: 0, left: 0, failed: 0 };

if (what === 'stream' && urls.length > 0) await Promise.all(Array.from({ length: n }, (_, i) => stay(i)));
else if (what === 'abort' && urls.length > 0) await Promise.all(Array.from({ length: n }, (_, i) => leave(i)));
else throw new Error('write users.mjs stream|abort URL... [--n N --seconds S --tokens T --model ID]');
console.log(JSON.stringify(told));
process.exit();

async function stay(i) {
  while (Date.now() < until) {
    const good = await chat(i, AbortSignal.timeout(Math.max(1, until - Date.now())));
    if (!good) await pause(1000);
  }
}

async function leave(i) {
  await pause((i / n) * Number(values.seconds) * 1000);
  await chat(i, AbortSignal.timeout(20 + Math.floor(Math.random() * 480)));
}

async function chat(i, signal) {
  told.begun++;
  const messages = [{ role: 'user', content: `user ${i} at ${Date.now()} asks for a long answer` }];
  const body = JSON.stringify({ model: values.model, messages, max_tokens: Number(values.tokens), stream: true, ignore_eos: true });
  try {
    const answer = await fetch(`${urls[i % urls.length]}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal,
    });
    for await (const _ of answer.body) if (signal.aborted) break;
    if (answer.ok) told.ended++;
    else told.failed++;
    return answer.ok;
  } catch {
    if (signal.aborted) told.left++;
    else told.failed++;
    return signal.aborted;
  }
}

function pause(ms) {
  return new Promise((done) => setTimeout(done, ms));
}
