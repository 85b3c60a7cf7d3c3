import { conformance } from './conformance';
import { openMemory } from './memory';

conformance(() => openMemory());
