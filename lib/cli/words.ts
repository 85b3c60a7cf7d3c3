import { type Config, DEFAULTS } from '../model/config';

/** What was found where, a sentence a line. */
export function looked(sentences: readonly string[]): string {
  return sentences.map((sentence) => `  ${sentence}`).join('\n');
}

/** What will be watched and what will be sent, told before the first probe goes out. */
export function plan(config: Config, isOnlyLooking: boolean): string {
  const targets = config.stacks.flatMap((stack) => [`  ${stack.name}:`, ...stack.targets.map((target) => `    ${target.name.padEnd(16)} ${target.url}`)]);
  return [`Watching (from ${config.source}):`, ...targets, isOnlyLooking || !config.probe.enabled ? 'Only looking: no chat is sent.' : sending(config)].join(
    '\n',
  );
}

function sending({ probe, scrape }: Config): string {
  const from = seconds(probe.everyMs);
  const to = seconds(probe.everyMs + probe.jitterMs);
  const perMinute = 60_000 / (probe.everyMs + probe.jitterMs / 2);
  const tokens = Math.round(perMinute * (promptTokens(probe.prompt) + probe.maxTokens));
  return [
    `Sending to each front-end one chat every ${from} to ${to} s: about ${perMinute.toFixed(1)} probes and ${tokens} tokens a minute (${probe.maxTokens} of each chat generated),`,
    `and reading each metrics page every ${seconds(scrape.everyMs)} s. "npm start -- --no-probe" only looks.`,
  ].join('\n');
}

// Four characters a token, the chat template and the nonce; only an order of magnitude is wanted.
function promptTokens(prompt: string): number {
  return Math.ceil(prompt.length / 4) + 24;
}

function seconds(ms: number): string {
  return String(Math.round(ms / 100) / 10);
}

/** What to do when nothing was found: the smallest configuration that works. */
export function minimalConfig(): string {
  return `Nothing to watch was found on this host. Write wedgewatch.yaml here, with your own addresses:

  stacks:
    - name: my-stack
      targets:
        - { name: router, url: "http://127.0.0.1:30001" }
        - { name: prefill, url: "http://127.0.0.1:30000" }
        - { name: decode, url: "http://127.0.0.1:30002" }

and run npm start again. Every key is explained in lib/wedgewatch.example.yaml. "npm run demo" shows Wedgewatch with a simulated stack.
(The page will be at ${DEFAULTS.listen.host}:${DEFAULTS.listen.port}.)`;
}
