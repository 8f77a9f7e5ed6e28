import { isCancel, password } from '@clack/prompts';
import type { CommandContext } from '../base/command-context.js';
import { CliError } from '../base/exit.js';
import { isInteractive, readStream } from '../base/terminal.js';

const KEY_FORMAT = /^[\x21-\x7e]{8,200}$/;

/** Reads a key from a prompt or a pipe. A key is never an argument, because other users can see arguments. */
export async function readPastedKey({ terminal }: CommandContext): Promise<string> {
  const text = isInteractive(terminal) ? await promptForKey(terminal) : await readPipedKey(terminal);
  const key = text.trim();
  if (KEY_FORMAT.test(key)) return key;
  throw CliError.usage('That is not an API key.', 'A key looks like rap_live_… and contains no spaces.');
}

async function promptForKey({ stdin, stderr, signal }: CommandContext['terminal']): Promise<string> {
  const answer = await password({ message: 'API key', input: stdin, output: stderr, signal });
  if (isCancel(answer)) throw CliError.interrupted();
  return answer ?? '';
}

async function readPipedKey({ stdin }: CommandContext['terminal']): Promise<string> {
  const hint = 'Pipe the key in: pass show rapport | rapport login --key.';
  if (stdin.isTTY) throw CliError.usage('There is no interactive terminal to prompt for the key.', hint);
  return readStream(stdin);
}
