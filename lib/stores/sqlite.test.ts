import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { conformance } from './conformance';
import { openSqlite } from './sqlite';

conformance(() => openSqlite(mkdtempSync(join(tmpdir(), 'wedgewatch-store-'))));
