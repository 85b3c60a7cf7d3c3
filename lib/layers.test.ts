import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const readme = readFileSync(join(root, 'lib/README.md'), 'utf8');
const rows = [...readme.matchAll(/^\| (pure|shell|apart|top|browser|server) \| ([^|]+) \| ([^|]+) \|$/gm)].map(([, level, folders, allowed]) => ({
  level,
  folders: ticked(folders),
  allowed: ticked(allowed),
}));
/** Who may import whom: the table of lib/README.md. */
const ARROWS = new Map(rows.flatMap(({ folders, allowed }) => folders.map((folder) => [folder, allowed] as const)));
const PURE = rows.filter(({ level }) => level === 'pure').flatMap(({ folders }) => folders);
const IMPURE = /\bDate\.now\b|\bperformance\b|\bMath\.random\b|\bsetTimeout\b|\bsetInterval\b|['"]node:|\bfetch\(/;
const ONE_DOOR: [string, RegExp, RegExp][] = [
  ['HTTP and sockets', /^node:(https?|net|tls|dgram|http2)$|^undici$/, /^lib\/(io|simulator|cli|bench)\//],
  ['the database driver', /^libsql/, /^lib\/stores\//],
  ['the chart library', /^recharts/, /^components\/ui\/chart\.tsx$/],
  ['the map viewport library', /^@xyflow/, /^components\/stack\/map\/(flow|zoom)\.tsx$/],
];

const files = ['app', 'components', 'lib', 'instrumentation.ts', 'proxy.ts'].flatMap(walk);
const sources = files.filter((path) => !/\.test\.tsx?$|\/(conformance|examples|fake-clock|random|story|vitest\.config)\.ts$/.test(path));
const imports = sources.flatMap((from) => importsOf(from, code(from)).map((to) => ({ from, to })));
const atRunTime = new Map(sources.map((from) => [from, importsOf(from, code(from).replace(/^(import|export) type .*$/gm, ''))]));

describe('the house', () => {
  it('has every source file in a layer of the arrow table', () => {
    expect(sources.filter((path) => layer(path) === undefined)).toEqual([]);
  });

  it('is shown as it is: every file and folder named in the documents exists', () => {
    const named = ['README.md', 'lib/README.md'].flatMap((file) =>
      ticked(readFileSync(join(root, file), 'utf8')).filter((name) => /^(lib|app|components|public|e2e)\/[\w./-]+$/.test(name)),
    );
    expect(named.filter((name) => ![name, `${name}.ts`].some((path) => existsSync(join(root, path))))).toEqual([]);
  });

  it('lets arrows point down only', () => {
    const wrong = imports.filter(({ from, to }) => !to.startsWith('package:') && !isAllowed(layer(from), layer(to)));
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('keeps clock, chance, sockets and disk out of the pure core', () => {
    expect(sources.filter((path) => PURE.includes(layer(path) ?? '') && IMPURE.test(code(path)))).toEqual([]);
  });

  it.each(ONE_DOOR)('lets %s in by its own door only', (_name, library, door) => {
    const wrong = imports.filter(({ from, to }) => library.test(to.replace('package:', '')) && !door.test(from));
    expect(wrong.map(({ from, to }) => `${from} -> ${to}`)).toEqual([]);
  });

  it('has no circle of imports at run time', () => {
    expect(circle(atRunTime)).toBeUndefined();
  });
});

function isAllowed(from: string | undefined, to: string | undefined) {
  if (from === undefined || to === undefined) return false;
  if (from === to) return true;
  const allowed = ARROWS.get(from) ?? [];
  return allowed.includes(to) || (allowed.includes('lib') && to.startsWith('lib/') && to !== 'lib/client');
}

function layer(path: string): string | undefined {
  const names = [...ARROWS.keys()].filter((name) => path === name || path.startsWith(`${name}/`) || path.startsWith(`${name}.`));
  return names.sort((a, b) => b.length - a.length)[0];
}

function ticked(cell = ''): string[] {
  return [...cell.matchAll(/`([^`\n]+)`/g)].map((match) => match[1] ?? '');
}

function walk(path: string): string[] {
  if (/\.tsx?$/.test(path)) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() || /\.tsx?$/.test(entry.name) ? walk(`${path}/${entry.name}`) : [],
  );
}

function code(path: string): string {
  return readFileSync(join(root, path), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s\/\/ .*$/gm, '');
}

function importsOf(from: string, text: string): string[] {
  const found = [
    ...text.matchAll(/(?:^|[;\s])(?:import|export)\s[^'"()]*?from\s*['"]([^'"]+)['"]|import\s*\(?\s*['"]([^'"]+)['"]|new URL\(\s*['"](\.[^'"]+\.ts)['"]/g),
  ];
  return found.map((match) => resolved(from, match[1] ?? match[2] ?? match[3] ?? ''));
}

function resolved(from: string, name: string): string {
  const base = name.startsWith('@/') ? name.slice(2) : name.startsWith('.') ? relative(root, join(root, dirname(from), name)) : undefined;
  if (base === undefined) return `package:${name}`;
  return [base, `${base}.ts`, `${base}.tsx`, `${base}/index.ts`, `${base}/index.tsx`].find((path) => files.includes(path)) ?? base;
}

function circle(graph: Map<string, string[]>): string[] | undefined {
  const done = new Set<string>();
  const visit = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const found = visit(next, [...path, file]);
      if (found) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const found = visit(file, []);
    if (found) return found;
  }
  return undefined;
}
