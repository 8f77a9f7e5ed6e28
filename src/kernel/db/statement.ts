import { hash } from 'node:crypto';

/**
 * A statement that runs so often that planning it anew each time would cost more than running it. The server keeps it
 * by its name where it can, see {@link KeptStatements}.
 *
 * The plan is made once, perhaps while the tables are empty, and must serve all values and all sizes alike. So rows
 * that are wanted by a list are looked up one by one, `JOIN LATERAL (… OFFSET 0)`, or by `= ANY` on the columns of one
 * index: as a plain join, whatever the first of them promises, the planner reads a workspace through while it believes
 * it to be small.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** What follows `WITH`, where a part of it writes: such a part must stand at the top, however statements are joined. */
  readonly head?: string;
  /** The statement without its head. */
  readonly body: string;
}

/** A statement for {@link Statement}; made once, beside the function that sends it. @param head see there. */
export function statement(body: string, head?: string): Statement {
  const text = head === undefined ? body : `WITH ${head} ${body}`;
  return { name: hash('sha256', text).slice(0, 11), text, body, ...(head !== undefined && { head }) };
}

/** A statement with its values. */
export interface Call {
  readonly statement: Statement;
  readonly values: readonly unknown[];
}

/** PostgreSQL cuts longer names. */
const LONGEST_NAME = 63;

const joined = new Map<string, Statement>();

/**
 * Several writes as one statement, so that they cost one message each way. They must not touch the same rows: all see
 * the database as it was before any of them.
 */
export function asOne(calls: readonly Call[]): Call {
  return join('', calls, texts => {
    const others = texts.slice(0, -1).map(({ text }, i) => `part_${i} AS (${text})`);
    return `WITH ${others.join(', ')} ${texts.at(-1)!.text}`;
  });
}

/** Several reads as one statement: each row is the `part` that it belongs to, by place, and the `row` as JSON. */
export function asOneRead(calls: readonly Call[]): Call {
  return join('r', calls, texts => {
    const heads = texts.flatMap(({ head }) => head ?? []);
    const parts = texts.map(
      ({ body }, i) => `SELECT ${i} AS part, to_json(part_${i}) AS row FROM (${body}) AS part_${i}`,
    );
    return `${heads.length > 0 ? `WITH ${heads.join(', ')} ` : ''}${parts.join(' UNION ALL ')}`;
  });
}

type Texts = Pick<Statement, 'text' | 'head' | 'body'>;

function join(way: string, calls: readonly Call[], textOf: (texts: readonly Texts[]) => string): Call {
  const names = way + calls.map(call => call.statement.name).join('+');
  const name = names.length <= LONGEST_NAME ? names : hash('sha256', names);
  let statement = joined.get(name);
  if (!statement) {
    const text = textOf(renumbered(calls));
    joined.set(name, (statement = { name: name.slice(0, LONGEST_NAME), text, body: text }));
  }
  return { statement, values: calls.flatMap(({ values }) => values) };
}

/** The texts of statements whose values stand in one list. */
function renumbered(calls: readonly Call[]): Texts[] {
  let offset = 0;
  return calls.map(({ statement: { text, head, body }, values }) => {
    const before = offset;
    offset += values.length;
    const moved = (sql: string) => sql.replace(/\$(\d+)/g, (_, place) => `$${Number(place) + before}`);
    return { text: moved(text), body: moved(body), ...(head !== undefined && { head: moved(head) }) };
  });
}
