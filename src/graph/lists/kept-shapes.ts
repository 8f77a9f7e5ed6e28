import { type Statement, statement } from '#kernel/db/statement.js';

/** Shapes that a process keeps at most. A server keeps each for as long as a session lives, so they are not exchanged. */
const MOST = 64;

const shapes = new Map<string, Statement>();

/**
 * A statement that is composed of parts, as one that the server keeps, because planning it costs as much as running it.
 * The first shapes that come are kept, which are those that come often; the others are planned each time. The server
 * plans a kept one for its values as before, until it finds that a plan for all values is as good.
 */
export function keptShape(text: string): string | Statement {
  const kept = shapes.get(text);
  if (kept) return kept;
  if (shapes.size >= MOST) return text;
  const shape = statement(text);
  shapes.set(text, shape);
  return shape;
}
