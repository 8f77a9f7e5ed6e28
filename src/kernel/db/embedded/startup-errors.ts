/**
 * Any failure of a start as an Error whose message is one sentence for people. Errors of the operating system
 * (no right, disk full) get one around their own words; others are already sentences.
 */
export function toStartupError(problem: unknown, dataDir: string): unknown {
  if (getErrorField(problem, 'syscall') === undefined) return problem;
  return new Error(
    `The embedded database cannot be started in ${dataDir} (${getErrorMessage(problem)}): ` +
      'set DATA_DIR to a local folder that you may write in, or set DATABASE_URL to a PostgreSQL server.',
    { cause: problem },
  );
}

/** What a thrown value says. */
export function getErrorMessage(problem: unknown): string {
  return String(getErrorField(problem, 'message') ?? problem);
}

/** Whether an error has one of the given codes, such as EACCES, or SQLSTATEs. */
export function hasErrorCode(problem: unknown, ...codes: string[]): boolean {
  return codes.includes(String(getErrorField(problem, 'code')));
}

/** Whether a file system error says that nothing lies at the path. */
export function isFileNotFound(problem: unknown): boolean {
  return hasErrorCode(problem, 'ENOENT');
}

/** A field of a thrown value. By shape, because `instanceof Error` misses errors from another realm. */
export function getErrorField(problem: unknown, name: string): unknown {
  return typeof problem === 'object' && problem !== null ? Reflect.get(problem, name) : undefined;
}
