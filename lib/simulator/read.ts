import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseScenario, type Scenario } from '@/lib/scenarios/scenario';

/** Reads a scenario file from any folder; mistakes are told all together, one sentence each. */
export function readScenario(path: string): { scenario: Scenario } | { errors: string[] } {
  try {
    return parseScenario(readFileSync(path, 'utf8'), basename(path));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { errors: [`${path}: cannot be read (${why}); give the path of a scenario file, such as lib/scenarios/incident.yaml`] };
  }
}
