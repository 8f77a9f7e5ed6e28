import { type PreparedQuery, prepare } from '#kernel/db/prepared-query.js';

/** Shapes that a process keeps at most. A server keeps each for as long as a session lives, so they are not exchanged. */
const MAX_STATEMENTS = 64;

const statements = new Map<string, PreparedQuery>();

/**
 * A statement that is composed of parts, as one that the server keeps, because planning it costs as much as running it.
 * The first shapes that come are kept, which are those that come often; the others are planned each time. The server
 * plans a kept one for its values as before, until it finds that a plan for all values is as good.
 */
export function cachedStatement(text: string): string | PreparedQuery {
  const kept = statements.get(text);
  if (kept) return kept;
  if (statements.size >= MAX_STATEMENTS) return text;
  const shape = prepare(text);
  statements.set(text, shape);
  return shape;
}
