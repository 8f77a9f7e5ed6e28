import { spawn } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import { getErrorMessage } from './startup-errors.js';
import type { OsUser } from './os-user.js';

/** How a helper program ended: exit code (null when it never ran or was killed) and all that it wrote. */
export interface ProgramResult {
  readonly code: number | null;
  readonly output: string;
}

/** Where and as whom a program runs. */
export interface ProgramOptions {
  readonly user?: OsUser | undefined;
  readonly cwd?: string;
  /** An open file to read as standard input. */
  readonly stdin?: number;
}

/** Runs a program to its end; never throws, a program that cannot start answers with code null. */
export async function execProgram(
  program: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  try {
    return await runToExit(program, args, options);
  } catch (problem) {
    return { code: null, output: getErrorMessage(problem) };
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

/** The spawn options that make a child run as another user; none for the own user. */
export function toSpawnIdentity(user: OsUser | undefined): { uid?: number; gid?: number } {
  return user ? { uid: user.uid, gid: user.gid } : {};
}

/**
 * A bare environment for PostgreSQL's programs: PG* variables would change what they do, and the secrets of
 * the hub's own environment are none of their business.
 */
export function buildChildEnvironment(env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot'];
  const chosen = kept.filter(name => env[name] !== undefined).map(name => [name, env[name]]);
  return { ...Object.fromEntries(chosen), LC_ALL: 'C' };
}
