import type { Terminal } from './base/terminal.js';

const interruptController = new AbortController();

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, signal: interruptController.signal };
}

/** Lets Ctrl-C ask the command to stop; a second one ends it at once. */
export function handleSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruptController.abort());
}

/** Ends in peace when whoever reads the answer stops reading. */
export function exitOnEpipe(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}
