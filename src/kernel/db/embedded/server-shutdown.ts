import type { Binaries } from './binaries.js';
import { execProgram } from './child-process.js';
import { pollUntil } from './poll-until.js';

/** A server to be ended. */
export interface ShutdownTarget {
  readonly pid: number;
  readonly binaries: Binaries;
  isGone(): boolean | Promise<boolean>;
}

type Signal = 'SIGINT' | 'SIGQUIT' | 'SIGKILL';

// "Fast" ends sessions and writes everything down, "immediate" leaves that to recovery at the next start.
const SHUTDOWN_STEPS: readonly [Signal, number][] = [
  ['SIGINT', 10_000],
  ['SIGQUIT', 5_000],
  ['SIGKILL', 5_000],
];

/** Ends a server: fast, after 10 s immediately, after 15 s by force. False when even that did not help. */
export async function shutDownServer(target: ShutdownTarget): Promise<boolean> {
  for (const [signal, timeoutMs] of SHUTDOWN_STEPS) {
    await sendSignal(signal, target);
    if (await pollUntil(() => target.isGone(), timeoutMs)) return true;
  }
  return false;
}

async function sendSignal(signal: Signal, { pid, binaries }: ShutdownTarget): Promise<void> {
  // Windows has no such signals; there PostgreSQL's own tool passes them on.
  if (process.platform === 'win32' && signal !== 'SIGKILL') {
    await execProgram(binaries.pgCtl, ['kill', signal.slice('SIG'.length), String(pid)]);
    return;
  }
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone, or not ours to signal: whether it is gone decides.
  }
}
