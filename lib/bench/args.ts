import { parseArgs } from 'node:util';

/** What `npm run bench:detect` was asked for. */
export type Wanted = {
  folder: string;
  seeds: number;
  only?: string[];
  jobs: number;
  scale: number;
  out: string;
  baselines: boolean;
  virtual: boolean;
  allowExec: boolean;
  verbose: boolean;
  list: boolean;
  help: boolean;
};

export const USAGE = `npm run bench:detect -- [options]

Plays every scenario of a folder over real sockets, watches it with the product's own collector and detector, and says how well they judged.

  --scenarios DIR   folder of scenario files (default lib/scenarios)
  --seeds N         seeds of each: 0 as written, 1 half as slow, 2 four times slower, with other names, phases and kinds of /v1/loads (default 3)
  --only ID,ID      only these scenarios
  --jobs N          so many side by side (default 3)
  --scale S         told seconds a second (default 10); a run that our own lag spoilt is repeated slower
  --no-baselines    without the four monitors that are compared with
  --virtual         everything in virtual time: no run waits and none is late; for working on the detector, not for the table
  --allow-exec      let scenario files run their commands in a shell on this machine; each such run takes its own real time, one after another
  --out DIR         where detect.json goes (default .wedgewatch/bench)
  --verbose         tell what was shown, change by change
  --list            the scenarios of the folder and what each must make us say
  --help            this text
`;

export const DEFAULT_SCALE = 10;
const MOST_SCALE = 60;

/** Reads the command line; mistakes are told all together. */
export function wantedFrom(argv: readonly string[]): { wanted: Wanted } | { errors: string[] } {
  const parsed = parsedFrom(argv);
  if ('errors' in parsed) return parsed;
  const { values, positionals } = parsed;
  const errors = positionals.map((word) => `"${word}" belongs to no option; a scenario is chosen with --only ID`);
  const whole = (name: 'seeds' | 'jobs', most: number) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < 1 || value > most) errors.push(`--${name}: "${values[name]}" is wrong; give a whole number from 1 to ${most}`);
    return value;
  };
  const scale = Number(values.scale);
  if (!(scale >= 1 && scale <= MOST_SCALE)) errors.push(`--scale: "${values.scale}" is wrong; give a number from 1 to ${MOST_SCALE}`);
  const wanted: Wanted = {
    folder: values.scenarios,
    seeds: whole('seeds', 99),
    ...(values.only === undefined
      ? {}
      : {
          only: values.only
            .split(',')
            .map((id) => id.trim())
            .filter(Boolean),
        }),
    jobs: whole('jobs', 64),
    scale,
    out: values.out,
    baselines: !values['no-baselines'],
    virtual: values.virtual,
    allowExec: values['allow-exec'],
    verbose: values.verbose,
    list: values.list,
    help: values.help,
  };
  return errors.length > 0 ? { errors } : { wanted };
}

function parsedFrom(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        scenarios: { type: 'string', default: 'lib/scenarios' },
        seeds: { type: 'string', default: '3' },
        only: { type: 'string' },
        jobs: { type: 'string', default: '3' },
        scale: { type: 'string', default: String(DEFAULT_SCALE) },
        out: { type: 'string', default: '.wedgewatch/bench' },
        'no-baselines': { type: 'boolean', default: false },
        virtual: { type: 'boolean', default: false },
        'allow-exec': { type: 'boolean', default: false },
        verbose: { type: 'boolean', default: false },
        list: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return { errors: [`${error instanceof Error ? error.message : String(error)}; --help tells the options`] };
  }
}
