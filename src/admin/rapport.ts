import { exitOnEpipe, handleSignals, processTerminal } from '../cli/base/terminal.js';
import { createClientProgram, runClient } from '../cli/program.js';

exitOnEpipe();
const args = process.argv.slice(2);
const terminal = processTerminal();
const clientCommands = createClientProgram(terminal).commands.map(command => command.name());

// The client's commands do not use the hub, so they start faster without loading it.
if (clientCommands.includes(args.find(word => [...clientCommands, 'admin', 'plugin', 'help'].includes(word)) ?? '')) {
  handleSignals();
  process.exitCode = await runClient(args, terminal);
} else {
  const { runServerCli } = await import('./server-cli.js');
  process.exitCode = await runServerCli(args, terminal);
}
