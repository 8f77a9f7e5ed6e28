import { exitOnEpipe, handleSignals, processTerminal } from './base/terminal.js';
import { runClient } from './program.js';

exitOnEpipe();
handleSignals();
process.exitCode = await runClient(process.argv.slice(2), processTerminal());
