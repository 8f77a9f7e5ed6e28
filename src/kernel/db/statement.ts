import { hash } from 'node:crypto';

/**
 * A statement that runs so often that planning it anew each time would cost more than running it. The server keeps it
 * by its name where it can, see {@link KeptStatements}.
 *
 * The plan is made once, perhaps while the tables are empty, and must serve all values and all sizes alike. So rows
 * that are wanted by a list are looked up one by one, `JOIN LATERAL (… OFFSET 0)`: as a plain join, whatever the first
 * of them promises, the planner reads a workspace through while it believes it to be small.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

/** A statement for {@link Statement}; made once, beside the function that sends it. */
export function statement(text: string): Statement {
  return { name: hash('sha256', text).slice(0, 16), text };
}
