import type { Terminal } from './base/terminal.js';

const interruptController = new AbortController();

/** Returns the terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, signal: interruptController.signal };
}

/** Aborts the command on the first SIGINT or SIGTERM. A second one ends the process at once. */
export function handleSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruptController.abort());
}

/** Exits with code 0 when the reader of stdout closes the pipe. */
export function exitOnEpipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
