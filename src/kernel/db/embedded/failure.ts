/**
 * Any failure of a start as an Error whose message is one sentence for people. Errors of the operating system
 * (no right, disk full) get one around their own words; others are already sentences.
 */
export function asSentence(problem: unknown, dataDir: string): unknown {
  if (fieldOf(problem, 'syscall') === undefined) return problem;
  return new Error(
    `The embedded database cannot be started in ${dataDir} (${reasonOf(problem)}): ` +
      'set DATA_DIR to a local folder that you may write in, or set DATABASE_URL to a PostgreSQL server.',
    { cause: problem },
  );
}

/** What a thrown value says. */
export function reasonOf(problem: unknown): string {
  return String(fieldOf(problem, 'message') ?? problem);
}

/** Whether an error has one of the given codes, such as EACCES, or SQLSTATEs. */
export function hasCode(problem: unknown, ...codes: string[]): boolean {
  return codes.includes(String(fieldOf(problem, 'code')));
}

/** Whether a file system error says that nothing lies at the path. */
export function isMissing(problem: unknown): boolean {
  return hasCode(problem, 'ENOENT');
}

/** A field of a thrown value. By shape, because `instanceof Error` misses errors from another realm. */
export function fieldOf(problem: unknown, name: string): unknown {
  return typeof problem === 'object' && problem !== null ? Reflect.get(problem, name) : undefined;
}
