import { enableCompileCache } from 'node:module';

// Before any other module is loaded: compiling modules takes an eighth of the start.
enableCompileCache();
await import('./start.js');
