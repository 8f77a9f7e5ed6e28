import { hasErrorCode } from './startup-errors.js';

/** Returns whether a process of any user has this ID now. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return hasErrorCode(error, 'EPERM');
  }
}
