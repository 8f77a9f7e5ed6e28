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
export interface PreparedQuery {
  readonly name: string;
  readonly text: string;
  /** What follows `WITH`, where a part of it writes: such a part must stand at the top, however statements are joined. */
  readonly cte?: string;
  /** The statement without its head. */
  readonly select: string;
}

/** A statement for {@link PreparedQuery}; made once, beside the function that sends it. @param cte see there. */
export function prepare(select: string, cte?: string): PreparedQuery {
  const text = cte === undefined ? select : `WITH ${cte} ${select}`;
  return { name: hash('sha256', text).slice(0, 11), text, select, ...(cte !== undefined && { cte }) };
}

/** A statement with its values. */
export interface BoundQuery {
  readonly query: PreparedQuery;
  readonly values: readonly unknown[];
}

/** PostgreSQL cuts longer names. */
const MAX_NAME_LENGTH = 63;

const combinedQueries = new Map<string, PreparedQuery>();

/**
 * Several writes as one statement, so that they cost one message each way. They must not touch the same rows: all see
 * the database as it was before any of them.
 */
export function combineWriteSql(queries: readonly BoundQuery[]): BoundQuery {
  return combine('', queries, texts => {
    const others = texts.slice(0, -1).map(({ text }, i) => `part_${i} AS (${text})`);
    return `WITH ${others.join(', ')} ${texts.at(-1)!.text}`;
  });
}

/** Several reads as one statement: each row is the `part` that it belongs to, by place, and the `row` as JSON. */
export function combineReadSql(queries: readonly BoundQuery[]): BoundQuery {
  return combine('r', queries, texts => {
    const heads = texts.flatMap(({ cte }) => cte ?? []);
    const parts = texts.map(
      ({ select }, i) => `SELECT ${i} AS part, to_json(part_${i}) AS row FROM (${select}) AS part_${i}`,
    );
    return `${heads.length > 0 ? `WITH ${heads.join(', ')} ` : ''}${parts.join(' UNION ALL ')}`;
  });
}

type QueryTexts = Pick<PreparedQuery, 'text' | 'cte' | 'select'>;

function combine(
  namePrefix: string,
  queries: readonly BoundQuery[],
  buildText: (texts: readonly QueryTexts[]) => string,
): BoundQuery {
  const names = namePrefix + queries.map(call => call.query.name).join('+');
  const name = names.length <= MAX_NAME_LENGTH ? names : hash('sha256', names);
  let query = combinedQueries.get(name);
  if (!query) {
    const text = buildText(renumberParams(queries));
    combinedQueries.set(name, (query = { name: name.slice(0, MAX_NAME_LENGTH), text, select: text }));
  }
  return { query, values: queries.flatMap(({ values }) => values) };
}

/** The texts of statements whose values stand in one list. */
function renumberParams(queries: readonly BoundQuery[]): QueryTexts[] {
  let offset = 0;
  return queries.map(({ query: { text, cte, select }, values }) => {
    const before = offset;
    offset += values.length;
    const moved = (sql: string) => sql.replace(/\$(\d+)/g, (_, place) => `$${Number(place) + before}`);
    return { text: moved(text), select: moved(select), ...(cte !== undefined && { cte: moved(cte) }) };
  });
}
