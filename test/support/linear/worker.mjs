import { loadTypeScript } from '../native/sources.mjs';

loadTypeScript();
await import('./worker.ts');
