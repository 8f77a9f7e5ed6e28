import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import type { ExitCode } from '../../../src/cli/base/errors.js';
import type { Terminal } from '../../../src/cli/base/terminal.js';
import { runClient } from '../../../src/cli/program.js';

/** What a command line has said. */
export interface Said {
  readonly exit: ExitCode;
  readonly out: string;
  readonly err: string;
}

/** What a command line runs beside. */
export interface Beside {
  /** What is piped in. */
  readonly stdin?: string;
  /** Further variables. */
  readonly env?: Record<string, string>;
  readonly signal?: AbortSignal;
  /** Told what there is on stderr so far, whenever something comes. */
  readonly heard?: (text: string) => void;
}

/** A person's home: a folder of its own for what the command line keeps. */
export interface Home {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Runs a command line in this process, without a terminal. */
  run(words: readonly string[], more?: Beside): Promise<Said>;
  /** The answer of a command line with --json. */
  json<Body = Record<string, unknown>>(words: readonly string[]): Promise<Body>;
  remove(): void;
}

/** Makes a home whose commands speak with a hub. @param settings such as RAPPORT_BASE_URL */
export function homeAt(settings: Record<string, string> = {}): Home {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'rapport-home-'));
  const env = {
    HOME: dir,
    XDG_CONFIG_HOME: path.join(dir, 'config'),
    ...settings,
  };
  const run: Home['run'] = async (words, beside = {}) => {
    const { stdin = '', env: more = {}, signal = new AbortController().signal, heard: received } = beside;
    const [input, output, errors] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const message = { out: '', err: '' };
    output.setEncoding('utf8').on('data', text => (message.out += text));
    errors.setEncoding('utf8').on('data', (text: string) => {
      message.err += text;
      received?.(message.err);
    });
    input.end(stdin);
    const terminal: Terminal = { stdin: input, stdout: output, stderr: errors, env: { ...env, ...more }, signal };
    const exit = await runClient(words, terminal);
    await new Promise(setImmediate);
    return { exit, ...message };
  };
  return {
    dir,
    env,
    run,
    json: async <Body>(words: readonly string[]) => {
      const { exit, out, err } = await run([...words, '--json']);
      if (out === '') throw new Error(`rapport ${words.join(' ')} ended with ${exit}: ${err}`);
      return JSON.parse(out) as Body;
    },
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}
