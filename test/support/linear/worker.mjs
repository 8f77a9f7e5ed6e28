import { loadTypeScript } from '../../runner/sources.mjs';

loadTypeScript();
await import('./worker.ts');
