import { fileURLToPath } from 'node:url';
import { ADMIN_COMMANDS, createAdminContext } from '../../../src/admin/admin-commands.js';
import { addPluginCommands } from '../../../src/admin/plugin/plugin.commands.js';
import { runAdminProgram } from '../../../src/admin/program.js';
import { runChild } from './child-process.js';

/** What a command left behind. */
export interface CommandEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

const program = fileURLToPath(new URL('../../../dist/admin/main.js', import.meta.url));

/** Runs the built `rapport` in a process of its own. @param environment instead of DATABASE_URL and DATA_DIR */
export function rapport(words: readonly string[], environment: Record<string, string>): Promise<CommandEnd> {
  return runNode([program, ...words], environment);
}

/**
 * Runs a command of `rapport admin` or `rapport plugin` in this process.
 * @param environment all that it knows of the environment
 */
export async function rapportHere(words: readonly string[], environment: Record<string, string>): Promise<CommandEnd> {
  const output = { out: '', err: '' };
  const office = createAdminContext(environment, {
    out: text => void (output.out += `${text}\n`),
    err: text => void (output.err += `${text}\n`),
  });
  return { code: await runAdminProgram(words, ADMIN_COMMANDS, office, [addPluginCommands]), ...output };
}

/** Runs Node as this process does, without the settings that a test run makes. */
export async function runNode(words: readonly string[], environment: Record<string, string> = {}): Promise<CommandEnd> {
  const { DATABASE_URL: _, NODE_OPTIONS: __, ...inherited } = process.env;
  const { code, stdout, stderr } = await runChild(process.execPath, words, { env: { ...inherited, ...environment } });
  return { code, out: stdout, err: stderr };
}
