import { readFileSync } from 'node:fs';
import { loadConfig } from '@/lib/config';
import type { Config } from '@/lib/model/config';

/**
 * The configuration that the process was started with: WEDGEWATCH_FOUND (a Config as JSON, written by `npm start` when it found the stack itself),
 * else a file by WEDGEWATCH_CONFIG or wedgewatch.yaml. Throws one error that tells every mistake.
 */
export function configFromEnvironment(env: NodeJS.ProcessEnv, cwd: string): Config {
  const config = env.WEDGEWATCH_FOUND ? found(env.WEDGEWATCH_FOUND) : written(env, cwd);
  return { ...config, probe: { ...config.probe, enabled: config.probe.enabled && env.WEDGEWATCH_NO_PROBE !== '1' }, timeScale: timeScale(env) };
}

function found(file: string): Config {
  return JSON.parse(readFileSync(file, 'utf8')) as Config;
}

function written(env: NodeJS.ProcessEnv, cwd: string): Config {
  const loaded = loadConfig({ argv: [], env, cwd });
  if ('errors' in loaded) throw new Error(loaded.errors.join('\n'));
  return loaded.config;
}

/** Only the bench runner may make time run faster. */
function timeScale(env: NodeJS.ProcessEnv): number {
  const scale = Number(env.WEDGEWATCH_TIME_SCALE ?? 1);
  if (scale === 1) return 1;
  if (env.WEDGEWATCH_BENCH !== '1' || !(scale > 0)) throw new Error('WEDGEWATCH_TIME_SCALE: only the bench runner may set it; unset it');
  return scale;
}
