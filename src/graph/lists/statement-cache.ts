import { type PreparedQuery, prepare } from '#kernel/db/prepared-query.js';

/** Maximum number of prepared statements. The server keeps each until the session ends, so they are not replaced. */
const MAX_STATEMENTS = 64;

const statements = new Map<string, PreparedQuery>();

/**
 * Returns a composed statement as a prepared one, because planning costs as much as running it. The first texts are
 * prepared, which are the frequent ones; later ones are planned each time. The server plans a prepared statement for
 * its values, as before, until it finds that a generic plan is as good.
 */
export function cachedStatement(text: string): string | PreparedQuery {
  const cached = statements.get(text);
  if (cached) return cached;
  if (statements.size >= MAX_STATEMENTS) return text;
  const statement = prepare(text);
  statements.set(text, statement);
  return statement;
}
