/**
 * Converts any failure of a start to an Error whose message is one sentence for the operator. Wraps errors of the
 * operating system (no permission, disk full); other errors are sentences already.
 */
export function toStartupError(error: unknown, dataDir: string): unknown {
  if (getErrorField(error, 'syscall') === undefined) return error;
  return new Error(
    `The embedded database cannot be started in ${dataDir} (${getErrorMessage(error)}): ` +
      'set DATA_DIR to a local folder that you may write in, or set DATABASE_URL to a PostgreSQL server.',
    { cause: error },
  );
}

/** Returns the message of a thrown value. */
export function getErrorMessage(error: unknown): string {
  return String(getErrorField(error, 'message') ?? error);
}

/** Returns whether an error has one of the given codes, such as EACCES or a SQLSTATE. */
export function hasErrorCode(error: unknown, ...codes: string[]): boolean {
  return codes.includes(String(getErrorField(error, 'code')));
}

/** Returns whether a file system error means that the path does not exist. */
export function isFileNotFound(error: unknown): boolean {
  return hasErrorCode(error, 'ENOENT');
}

/** Returns a field of a thrown value. By shape, because `instanceof Error` misses errors from another realm. */
export function getErrorField(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
