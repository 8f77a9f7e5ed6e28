import { endWithReader, heedSignals, processTerminal } from './process-terminal.js';
import { runClient } from './program.js';

endWithReader();
heedSignals();
process.exitCode = await runClient(process.argv.slice(2), processTerminal());
