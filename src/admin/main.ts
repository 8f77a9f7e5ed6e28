import { enableCompileCache } from 'node:module';

// Must run before other imports: compiling the modules takes a third of the time of a command.
enableCompileCache();
await import('./rapport.js');
