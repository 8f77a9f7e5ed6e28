import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { until } from '../until.js';

/** The end of what a child wrote that an error quotes, in characters. */
const MAX_QUOTED_LENGTH = 4_000;

/** How much of a command line an error quotes, in characters. */
const MAX_COMMAND_LENGTH = 200;

/** How a child process ended, and all that it wrote to pipes. */
export interface ChildEnd {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A child process of a test. */
export interface Child {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  /** What it has written to standard output so far. */
  stdout(): string;
  /** What it has written to standard error so far. */
  stderr(): string;
  /** Resolves when it has ended and its output has been read. Rejects at once when it cannot be started. */
  readonly ended: Promise<ChildEnd>;
  /**
   * Waits until `condition` returns something truthy, and returns that. Rejects at once, with what the child wrote, when
   * it cannot be started or ends first. Rejects after `timeoutMs`, 40 seconds by default.
   */
  waitFor<T>(
    what: string,
    condition: () => T | Promise<T>,
    timeoutMs?: number,
  ): Promise<NonNullable<Exclude<T, false>>>;
  /** Sends a signal and waits for the end. */
  kill(signal: NodeJS.Signals): Promise<ChildEnd>;
}

/** Starts a program. Its output is collected from each stream that is a pipe, which is the default. */
export function startChild(program: string, args: readonly string[], options: SpawnOptions = {}): Child {
  const child = spawn(program, args, options);
  const stdout = collect(child.stdout);
  const stderr = collect(child.stderr);
  const commandLine = [program, ...args].join(' ').split('\n', 1)[0]!.slice(0, MAX_COMMAND_LENGTH);
  let failure: Error | undefined;
  let end: ChildEnd | undefined;
  const ended = endOf(child).then(
    ({ code, signal }) => (end = { code, signal, stdout: stdout(), stderr: stderr() }),
    (cause: unknown) => {
      failure = new Error(`${commandLine} cannot be started: ${String(cause)}`, { cause });
      throw failure;
    },
  );
  // Without a handler, the rejection of a child that no test awaits would end the whole run.
  ended.catch(() => undefined);
  const endedEarly = (what: string, { code, signal, ...output }: ChildEnd) =>
    new Error(
      `${commandLine} ended (${code ?? signal}) before ${what}:\n` +
        `${output.stdout}${output.stderr}`.slice(-MAX_QUOTED_LENGTH),
    );
  return {
    pid: child.pid,
    stdout,
    stderr,
    ended,
    waitFor: (what, condition, timeoutMs) => {
      const look = async () => {
        if (failure) throw failure;
        const endBefore = end;
        const found = await condition();
        if (!found && endBefore) throw endedEarly(what, endBefore);
        return found;
      };
      return until(what, look, timeoutMs);
    },
    kill: signal => {
      child.kill(signal);
      return ended;
    },
  };
}

/** Runs a program to its end. Rejects at once when it cannot be started. */
export function runChild(program: string, args: readonly string[], options: SpawnOptions = {}): Promise<ChildEnd> {
  return startChild(program, args, options).ended;
}

function endOf(child: ChildProcess): Promise<Pick<ChildEnd, 'code' | 'signal'>> {
  return new Promise((resolve, reject) => {
    child.once('close', (code, signal) => resolve({ code, signal }));
    child.on('error', reject);
  });
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  let text = '';
  stream?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return () => text;
}
