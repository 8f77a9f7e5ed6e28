import { enableCompileCache } from 'node:module';

// Before anything else is loaded: compiling the modules again is a third of what a command costs.
enableCompileCache();
await import('./rapport.js');
