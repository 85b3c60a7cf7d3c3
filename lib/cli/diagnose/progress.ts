import { askedWith, nameOf } from '@/lib/experiment/markdown';
import { duration } from '@/lib/format';
import type { Experiment, ExperimentCell } from '@/lib/model/experiment';
import type { Progress } from './run';

type Out = { write(text: string): unknown; isTTY?: boolean };

/** Tells how far it has come: each answer as a line of its own, and on a terminal what is being waited for. */
export function teller(out: Out): { tell(progress: Progress): void; end(): void } {
  const told = new Map<ExperimentCell['model'], number>();
  let waiting = '';
  const clear = () => {
    if (waiting !== '' && out.isTTY) out.write('\r\x1b[2K');
    waiting = '';
  };
  const wait = (words: string) => {
    clear();
    waiting = words;
    if (out.isTTY) out.write(words.slice(0, 78));
  };
  return {
    tell(progress) {
      if (progress.kind === 'step') {
        clear();
        if (out.isTTY) wait(`${progress.words} ...`);
        else out.write(`${progress.words}\n`);
        return;
      }
      const { experiment } = progress;
      const lines = newLines(experiment, told);
      if (lines.length > 0) clear();
      for (const line of lines) out.write(`${line}\n`);
      if (experiment.state === 'running') wait(`${experiment.progress.done} of ${experiment.progress.of} chats, at most one in 10 s for each front-end ...`);
    },
    end: clear,
  };
}

function newLines(experiment: Experiment, told: Map<string, number>): string[] {
  return experiment.cells.flatMap((cell, index) => {
    const key = `${index}`;
    const fresh = cell.tries.slice(told.get(key) ?? 0);
    told.set(key, cell.tries.length);
    return fresh.map((one) => {
      const what = one.outcome === 'ok' ? `answered${one.late ? ' late' : ''}, ${duration(one.ttftMs ?? one.elapsedMs)}` : one.sentence;
      return `  ${nameOf(experiment, cell.target)}, ${askedWith(cell)}: ${what}`.slice(0, 160);
    });
  });
}
