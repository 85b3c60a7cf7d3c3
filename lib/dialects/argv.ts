/** Command-line reading shared by the dialects. */

/** Words of a command line; a process that renamed itself shows one string with blanks in it. */
export function words(argv: readonly string[]): string[] {
  const kept = argv.filter((word) => word !== '');
  const [only] = kept;
  return kept.length === 1 && only !== undefined ? only.trim().split(/\s+/) : kept;
}

/** Value of the last `--name value` or `--name=value`; argparse and clap both let the last one win. */
export function flag(argv: readonly string[], ...names: readonly string[]): string | undefined {
  let found: string | undefined;
  argv.forEach((word, index) => {
    const equals = word.indexOf('=');
    if (equals > 0 && names.includes(word.slice(0, equals))) found = word.slice(equals + 1);
    else if (names.includes(word)) found = argv[index + 1];
  });
  return found;
}

export function hasFlag(argv: readonly string[], name: string): boolean {
  return argv.some((word) => word === name || word.startsWith(`${name}=`));
}

/** Every value list of a repeatable flag: `--prefill URL 8998 --prefill URL2` gives [[URL, 8998], [URL2]]. */
export function flagLists(argv: readonly string[], name: string): string[][] {
  const lists: string[][] = [];
  let open: string[] | undefined;
  for (const word of argv) {
    if (word === name || word.startsWith(`${name}=`)) {
      open = word === name ? [] : [word.slice(name.length + 1)];
      lists.push(open);
    } else if (word.startsWith('--')) open = undefined;
    else open?.push(word);
  }
  return lists;
}

export function portFlag(argv: readonly string[], ...names: readonly string[]): number | undefined {
  const text = flag(argv, ...names);
  const port = text !== undefined && /^\d+$/.test(text) ? Number(text) : 0;
  return port > 0 && port < 65_536 ? port : undefined;
}

/** Module of `python -m MODULE`, when the program is a Python. */
export function pythonModule(argv: readonly string[]): string | undefined {
  if (!/^python[\d.]*$/.test(baseName(argv[0]))) return undefined;
  const m = argv.indexOf('-m');
  // Only the interpreter's own switches may stand before -m: `python script.py -m x` runs no module.
  return m > 0 && argv.slice(1, m).every((word) => word.startsWith('-')) ? argv[m + 1] : undefined;
}

/** The program that runs: a console script started by a Python interpreter counts as itself. `rest` are its arguments. */
export function program(argv: readonly string[]): { name: string; rest: readonly string[] } {
  const first = baseName(argv[0]);
  if (!/^python[\d.]*$/.test(first)) return { name: first, rest: argv.slice(1) };
  const script = argv.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  return script === -1 || argv.slice(1, script).includes('-c') || argv.slice(1, script).includes('-m')
    ? { name: first, rest: argv.slice(1) }
    : { name: baseName(argv[script]), rest: argv.slice(script + 1) };
}

export function baseName(path: string | undefined): string {
  return path?.slice(path.lastIndexOf('/') + 1) ?? '';
}
