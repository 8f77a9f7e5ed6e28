import { hasErrorCode } from './startup-errors.js';

/** Whether some process, of whatever user, has this number now. */
export function isProcessAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (problem) {
    return hasErrorCode(problem, 'EPERM');
  }
}
