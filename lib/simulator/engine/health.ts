import type { Engine } from './engine';

const TIMEOUT_S = 20;

/**
 * `/health` and `/health_generate` of an engine: a 1-token job over the fake hand-over; looks each second whether anything at all came from the
 * scheduler since; 503 after 20 s, and the job stays (SGLang's sources).
 */
export function health(engine: Engine, answer: (status: number) => void): void {
  if (engine.isStarting) {
    answer(503);
    return;
  }
  const startedAt = engine.clock.now();
  const rid = `HEALTH_CHECK_${engine.dice.hex(12)}`;
  engine.submit({ rid, room: '0', bootstrapPort: undefined, fake: true, health: true, promptTokens: 1, maxTokens: 1 }, () => {});
  const look = () => {
    const isAlive = engine.lastMessageAt >= startedAt;
    if (!isAlive && engine.clock.now() - startedAt < TIMEOUT_S) {
      engine.clock.after(1, look);
      return;
    }
    engine.isReady = isAlive;
    engine.speak(() => answer(isAlive ? 200 : 503));
  };
  engine.clock.after(1, look);
}
