import { isCancel, password } from '@clack/prompts';
import type { Desk } from '../base/desk.js';
import { CliError } from '../base/exit.js';
import { isInteractive, readAll } from '../base/terminal.js';

const FORM = /^[\x21-\x7e]{8,200}$/;

/** A key that is pasted, or comes through a pipe. It is never an argument: those are seen by everybody on the machine. */
export async function pastedKey({ terminal }: Desk): Promise<string> {
  const text = isInteractive(terminal) ? await ask(terminal) : await piped(terminal);
  const key = text.trim();
  if (FORM.test(key)) return key;
  throw CliError.usage('That is no API key.', 'A key looks like rap_live_… and has no spaces in it.');
}

async function ask({ stdin, stderr, signal }: Desk['terminal']): Promise<string> {
  const answer = await password({ message: 'API key', input: stdin, output: stderr, signal });
  if (isCancel(answer)) throw CliError.interrupted();
  return answer ?? '';
}

async function piped({ stdin }: Desk['terminal']): Promise<string> {
  const hint = 'Pipe the key in: pass show rapport | rapport login --key.';
  if (stdin.isTTY) throw CliError.usage('There is no terminal to ask for the key at.', hint);
  return readAll(stdin);
}
