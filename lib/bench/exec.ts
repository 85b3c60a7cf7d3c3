import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Scenario } from '@/lib/scenarios/scenario';
import type { Step } from '@/lib/scenarios/step';

/** Runs the commands of a scenario and owes their heals; they are paid by a process of their own, whatever becomes of this one. */
export type Exec = {
  /** Starts it; what it returns undoes it. Settles `ended` with the command's end, and never for one that was undone before. */
  act(step: Step): { ended: Promise<Outcome>; undo(): void };
  /** Heals all that is left and tells what could not be healed, in sentences. */
  end(): Promise<string[]>;
};

/** How a command ended; anything but 0 is a failure. */
export type Outcome = { code: number | string; tail: string };

type Told = { id: number; tail: string; ended?: number | string; healed?: number | string };

/** `folder` is where commands run; `log` a file for all that they print. */
export function startExec(folder: string, log: string): Exec {
  const hand = spawn(process.execPath, [fileURLToPath(new URL('./hand.mjs', import.meta.url)), folder, log], {
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  hand.stdin.on('error', () => undefined);
  const commands: string[] = [];
  const waiting = new Map<number, (outcome: Outcome) => void>();
  const troubles: string[] = [];
  const gone = once(hand, 'exit');
  createInterface({ input: hand.stdout }).on('line', (line) => {
    const told = JSON.parse(line) as Told;
    if (told.ended !== undefined) waiting.get(told.id)?.({ code: told.ended, tail: told.tail });
    if (told.healed !== undefined && told.healed !== 0) troubles.push(`the heal of "${commands[told.id]}" ended with ${told.healed}: ${told.tail}`);
  });
  const say = (order: object) => hand.stdin.write(`${JSON.stringify(order)}\n`);
  return {
    act(step) {
      const { command, heal } = step.args;
      const id = commands.push(String(command)) - 1;
      const ended = new Promise<Outcome>((resolve) => waiting.set(id, resolve));
      say({ do: id, command: String(command), ...(heal === undefined ? {} : { heal: String(heal) }) });
      return { ended, undo: () => say({ undo: id }) };
    },
    async end() {
      hand.stdin.end();
      await gone;
      return troubles;
    },
  };
}

/** Why a scenario may not be run without `--allow-exec`, with file, field and command; undefined where it runs none. */
export function refusal(scenario: Scenario, file: string): string | undefined {
  const lists: [string, readonly Step[]][] = [
    ['traits', scenario.traits],
    ['timeline', scenario.timeline],
    ...scenario.variants.flatMap((one, i): [string, readonly Step[]][] => [
      [`variants[${i}].traits`, one.traits],
      [`variants[${i}].timeline`, one.timeline],
    ]),
  ];
  for (const [field, steps] of lists) {
    const i = steps.findIndex((step) => step.action === 'exec' && step.args.off !== true);
    if (i < 0) continue;
    const command = String(steps[i]?.args.command).slice(0, 120);
    return `${file}: ${field}[${i}].exec.command: ${JSON.stringify(command)} would run in a shell on this machine; read the file's commands, then add --allow-exec`;
  }
  return undefined;
}
