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
  return { name: hash('sha256', text).slice(0, 11), text };
}

/** A statement with its values. */
export interface Call {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

const merged = new Map<string, Statement>();

/**
 * Several writes as one statement, so that they cost one message each way. They must not touch the same rows: all see
 * the database as it was before any of them. The name is made of theirs; PostgreSQL cuts names at 63 bytes, so that
 * there can be five.
 */
export function asOne(calls: readonly Call[]): Call {
  const name = calls.map(call => call.statement.name).join('+');
  let statement = merged.get(name);
  if (!statement) merged.set(name, (statement = { name, text: mergedText(calls) }));
  return { statement, values: calls.flatMap(({ values }) => values) };
}

function mergedText(calls: readonly Call[]): string {
  let offset = 0;
  const texts = calls.map(({ statement, values }) => {
    const before = offset;
    offset += values.length;
    return statement.text.replace(/\$(\d+)/g, (_, place) => `$${Number(place) + before}`);
  });
  const others = texts.slice(0, -1).map((text, i) => `part_${i} AS (${text})`);
  return `WITH ${others.join(', ')} ${texts.at(-1)}`;
}
