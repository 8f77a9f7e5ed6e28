/**
 * Converts any failure of a start to an Error whose message is one sentence for the operator. Wraps errors of the
 * operating system (no permission, disk full); other errors are sentences already.
 */
export function toStartupError(problem: unknown, dataDir: string): unknown {
  if (getErrorField(problem, 'syscall') === undefined) return problem;
  return new Error(
    `The embedded database cannot be started in ${dataDir} (${getErrorMessage(problem)}): ` +
      'set DATA_DIR to a local folder that you may write in, or set DATABASE_URL to a PostgreSQL server.',
    { cause: problem },
  );
}

/** Returns the message of a thrown value. */
export function getErrorMessage(problem: unknown): string {
  return String(getErrorField(problem, 'message') ?? problem);
}

/** Returns whether an error has one of the given codes, such as EACCES or a SQLSTATE. */
export function hasErrorCode(problem: unknown, ...codes: string[]): boolean {
  return codes.includes(String(getErrorField(problem, 'code')));
}

/** Returns whether a file system error means that the path does not exist. */
export function isFileNotFound(problem: unknown): boolean {
  return hasErrorCode(problem, 'ENOENT');
}

/** Returns a field of a thrown value. By shape, because `instanceof Error` misses errors from another realm. */
export function getErrorField(problem: unknown, name: string): unknown {
  return typeof problem === 'object' && problem !== null ? Reflect.get(problem, name) : undefined;
}
