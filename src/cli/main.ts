import { exitOnEpipe, handleSignals, processTerminal } from './process-terminal.js';
import { runClient } from './program.js';

exitOnEpipe();
handleSignals();
process.exitCode = await runClient(process.argv.slice(2), processTerminal());
