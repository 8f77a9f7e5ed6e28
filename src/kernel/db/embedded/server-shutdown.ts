import type { Binaries } from './binaries.js';
import { execProgram } from './child-process.js';
import { pollUntil } from './poll-until.js';

/** A server to shut down. */
export interface ShutdownTarget {
  readonly pid: number;
  readonly binaries: Binaries;
  isGone(): boolean | Promise<boolean>;
}

type Signal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

// "Fast" ends sessions and writes a checkpoint, "immediate" leaves that to recovery at the next start.
const SHUTDOWN_STEPS: readonly [Signal, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/**
 * Shuts a server down: fast, after 10 s immediately, after 15 s with SIGKILL. Returns false if it still runs after
 * that.
 */
export async function shutDownServer(target: ShutdownTarget): Promise<boolean> {
  for (const [signal, timeoutMs] of SHUTDOWN_STEPS) {
    await sendSignal(signal, target);
    if (await pollUntil(() => target.isGone(), timeoutMs)) return true;
  }
  return false;
}

async function sendSignal(signal: Signal, { pid, binaries }: ShutdownTarget): Promise<void> {
  // Windows has no such signals; there PostgreSQL's own tool delivers them.
  if (process.platform === 'win32' && signal !== 'SIGKILL') {
    await execProgram(binaries.pgCtl, ['kill', signal.slice('SIG'.length), String(pid)]);
    return;
  }
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, or not permitted: `isGone` decides.
  }
}
