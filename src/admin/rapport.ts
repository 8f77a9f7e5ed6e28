import { endWithReader, heedSignals, processTerminal } from '../cli/process-terminal.js';
import { clientProgram, runClient } from '../cli/program.js';

endWithReader();
const words = process.argv.slice(2);
const terminal = processTerminal();
const clients = clientProgram(terminal).commands.map(command => command.name());

// A command of the client needs nothing of the hub, and starts without loading it.
if (clients.includes(words.find(word => [...clients, 'admin', 'plugin', 'help'].includes(word)) ?? '')) {
  heedSignals();
  process.exitCode = await runClient(words, terminal);
} else {
  const { runHubs } = await import('./hubs-program.js');
  process.exitCode = await runHubs(words, terminal);
}
