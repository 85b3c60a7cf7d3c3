import { ask, chatText } from './ask';
import { type Baseline, everyPeriod, inARow } from './baseline';

const PERIOD_S = 10;
const FIRST_BYTE_S = 10;

/** A chat probe as people write it: streaming, a fixed limit to the first byte, nothing read from the engines. */
export const streaming: Baseline = {
  id: 'streaming',
  name: 'streaming chat, fixed limit',
  isInProcess: true,
  settings: `streaming chat through each front-end each ${PERIOD_S} s; down at the first without 200 and a first byte in ${FIRST_BYTE_S} s`,
  async start({ fronts }, clock, say) {
    const stops = fronts.map(({ name, url, model }) => {
      const took = inARow(1, (isDown) => say(name, isDown));
      const question = { url: `${url}/v1/chat/completions`, body: chatText(model, true), seconds: FIRST_BYTE_S, until: 'first byte' as const };
      return everyPeriod(clock, PERIOD_S, async () => took((await ask(clock, question)) === 200));
    });
    return () => {
      for (const stop of stops) stop();
    };
  },
};
