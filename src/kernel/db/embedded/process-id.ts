import { hasCode } from './failure.js';

/** Whether some process, of whatever user, has this number now. */
export function isTaken(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (problem) {
    return hasCode(problem, 'EPERM');
  }
}
