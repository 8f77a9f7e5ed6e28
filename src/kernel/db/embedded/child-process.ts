import { spawn, type StdioOptions } from 'node:child_process';
import { getErrorMessage } from './server-log.js';
import type { OsUser } from './os-user.js';

/** Result of a helper program: exit code (null if it did not start or was killed) and its output. */
export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
}

/** Working directory, user and input of a program. */
export interface ProgramOptions {
  readonly user?: OsUser | undefined;
  readonly cwd?: string;
  /** File descriptor of an open file to use as standard input. */
  readonly stdin?: number;
}

/** Runs a program until it exits. Never throws; if the program cannot start, the code is null. */
export async function execProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  try {
    return await runToExit(program, args, options);
  } catch (error) {
    return { code: null, output: getErrorMessage(error) };
  }
}

function runToExit(
  program: string,
  args: readonly string[],
  { cwd, user, stdin }: ProgramOptions,
): Promise<ProgramResult> {
  const stdio: StdioOptions = [stdin ?? 'ignore', 'pipe', 'pipe'];
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      ...toSpawnIdentity(user),
      env: buildChildEnvironment(),
      stdio,
      windowsHide: true,
    });
    let output = '';
    const collect = (chunk: Buffer) => (output += chunk.toString('utf8'));
    child.stdout?.on('data', collect);
    child.stderr?.on('data', collect);
    child.on('error', reject);
    child.on('close', code => resolve({ code, output }));
  });
}

/** Returns the spawn options that run a child as another user; empty for the current user. */
export function toSpawnIdentity(user: OsUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

/**
 * Builds a minimal environment for PostgreSQL's programs: PG* variables would change their behaviour, and they must
 * not see the secrets in the hub's environment.
 */
export function buildChildEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const names = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
  const inherited = names.filter(name => env[name] !== undefined).map(name => [name, env[name]]);
  return { ...Object.fromEntries(inherited), LC_ALL: 'C' };
}
