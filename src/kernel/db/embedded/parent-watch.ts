import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { toSpawnIdentity } from './child-process.js';
import type { OsUser } from './os-user.js';

// Reading ends when the last writer of the pipe is gone. That writer is this process, however it ends.
const WATCH_SCRIPT = 'read -r _; kill -INT "$1"';

/**
 * Makes the server stop with this process, even after kill -9: a shell waits on a pipe from this process and sends
 * the server a fast shutdown when it closes. Returns a function that cancels the watch. Without a shell there is no
 * watch, and the next start stops the orphaned server.
 */
export function stopWithParent(pid: number, user: OsUser | undefined): () => void {
  if (process.platform === 'win32') return () => undefined;
  const watch = spawn('/bin/sh', ['-c', WATCH_SCRIPT, 'rapport-postgres-watch', String(pid)], {
    ...toSpawnIdentity(user),
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watch.on('error', () => undefined);
  watch.stdin.on('error', () => undefined);
  watch.unref();
  // Typed as a plain stream, but the pipe to a child is a socket, which would keep this process alive.
  (watch.stdin as Socket).unref();
  return () => void watch.kill('SIGKILL');
}
