import { adminCommands, officeOf } from './office.js';
import { addPluginCommands } from './plugin/plugin.commands.js';
import { runProgram } from './program.js';

const office = officeOf(process.env, {
  out: text => void process.stdout.write(`${text}\n`),
  err: text => void process.stderr.write(`${text}\n`),
});

process.exitCode = await runProgram(process.argv.slice(2), adminCommands, office, [addPluginCommands]);
