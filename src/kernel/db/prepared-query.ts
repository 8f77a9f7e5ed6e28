import { hash } from 'node:crypto';
import { types } from 'node:util';
import { setImmediate as turn } from 'node:timers/promises';
import type pg from 'pg';
import type { Instant } from '#domain/time/instant.js';
import type { OutgoingEvent, Tx, UsageKind } from './transaction.js';

/**
 * Bytes of parameters that one statement should carry. The driver encodes a statement in one go, which keeps the event
 * loop for about 30 ms if the statement is full.
 */
export const MAX_STATEMENT_BYTES = 5 * 1024 * 1024;
/** What a row costs beside the bytes of its texts, in bytes that take as long. */
export const ROW_OVERHEAD_BYTES = 64;

/**
 * Splits rows among statements of at most {@link MAX_STATEMENT_BYTES}, in order. A larger row gets a statement of its
 * own. While the database works on one part, other requests have a turn.
 * @param sizeOf bytes of the texts of a row
 */
export function* splitIntoStatements<Row>(rows: readonly Row[], sizeOf: (row: Row) => number): Generator<Row[]> {
  let part: Row[] = [];
  let size = 0;
  for (const row of rows) {
    const added = sizeOf(row) + ROW_OVERHEAD_BYTES;
    if (part.length > 0 && size + added > MAX_STATEMENT_BYTES) {
      yield part;
      part = [];
      size = 0;
    }
    part.push(row);
    size += added;
  }
  if (part.length > 0) yield part;
}

/** SQLSTATEs of an unknown and of a duplicate prepared statement. */
const STATEMENT_LOST_SQLSTATES = new Set(['26000', '42P05']);

/**
 * Decides for each connection whether prepared statements can be used. Behind a pooler in transaction mode they
 * cannot: the next transaction may run on another server. Such a pooler announces process IDs of its own at the start
 * of a session. So a session whose server reports the announced process ID is connected to one server directly.
 */
export class PreparedStatementSupport {
  private readonly directConnections = new WeakSet<pg.PoolClient>();
  private isEnabled = true;

  /** Records the process that serves a connection. */
  observeBackend(client: pg.PoolClient, backend: number): void {
    if ((client as unknown as { processID: number }).processID === backend) this.directConnections.add(client);
    else this.directConnections.delete(client);
  }

  /** Returns whether named statements are safe on this connection. */
  isSafeOn(client: pg.PoolClient): boolean {
    return this.isEnabled && this.directConnections.has(client);
  }

  /**
   * Disables named statements for all connections if `error` shows that a pooler is in between.
   * @returns whether it does.
   */
  isStatementLost(error: unknown): boolean {
    const isLost = types.isNativeError(error) && 'code' in error && STATEMENT_LOST_SQLSTATES.has(String(error.code));
    if (isLost) this.isEnabled = false;
    return isLost;
  }
}

/**
 * A statement that runs so often that planning it each time would cost more than running it. The server keeps it by
 * name where possible, see {@link PreparedStatementSupport}.
 * The generic plan is made once, perhaps while the tables are empty, and must suit all values and all sizes. So rows
 * selected by a list are looked up one by one, with `JOIN LATERAL (… OFFSET 0)`, or by `= ANY` on the columns of one
 * index: for a plain join the planner scans a whole workspace as long as it estimates it to be small.
 */
export interface PreparedQuery {
  readonly name: string;
  readonly text: string;
  /** The CTEs (without `WITH`) if one of them writes: such a CTE must be at the top level of a combined statement. */
  readonly cte?: string;
  /** The statement without {@link cte}. */
  readonly select: string;
}

/**
 * Creates a {@link PreparedQuery}; called once, beside the function that sends it.
 * @param cte see {@link PreparedQuery.cte}.
 */
export function prepare(select: string, cte?: string): PreparedQuery {
  const text = cte === undefined ? select : `WITH ${cte} ${select}`;
  return { name: hash('sha256', text).slice(0, 11), text, select, ...(cte !== undefined && { cte }) };
}

/** Encodes values as a parameter of type `json[]` or `jsonb[]`; null and undefined become NULL. */
export function toJsonTexts(values: readonly unknown[]): (string | null)[] {
  return values.map(toJsonText);
}

/** Encodes a value as an element of a parameter of type `json[]` or `jsonb[]`; null and undefined become NULL. */
export function toJsonText(value: unknown): string | null {
  return value === null || value === undefined ? null : JSON.stringify(value);
}

/** A prepared query with its parameters. */
export interface BoundQuery {
  readonly query: PreparedQuery;
  readonly values: readonly unknown[];
}

/** PostgreSQL truncates longer names. */
const MAX_NAME_LENGTH = 63;

/**
 * Combines several writes into one statement, so that they cost one message in each direction. They must not touch
 * the same rows: all see the snapshot from before any of them.
 */
export function combineWriteSql(queries: readonly BoundQuery[]): BoundQuery {
  return combine('', queries, texts => {
    const others = texts.slice(0, -1).map(({ text }, i) => `part_${i} AS (${text})`);
    return `WITH ${others.join(', ')} ${texts.at(-1)!.text}`;
  });
}

/**
 * Combines several reads into one statement. Each row has the index of its query as `part` and its columns as JSON in
 * `row`.
 */
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
  const name = names.length <= MAX_NAME_LENGTH ? names : hash('sha256', names).slice(0, MAX_NAME_LENGTH);
  const text = buildText(renumberParams(queries));
  return { query: { name, text, select: text }, values: queries.flatMap(({ values }) => values) };
}

/** Renumbers the parameters of the queries for one common list of values. */
function renumberParams(queries: readonly BoundQuery[]): QueryTexts[] {
  let offset = 0;
  return queries.map(({ query: { text, cte, select }, values }) => {
    const before = offset;
    offset += values.length;
    const renumber = (sql: string) => sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + before}`);
    return { text: renumber(text), select: renumber(select), ...(cte !== undefined && { cte: renumber(cte) }) };
  });
}

/**
 * Combines the prepared queries that `issueReads` sends before the event loop turns into one statement. None of them
 * may depend on the result of another. Their rows are transferred as JSON, so they may select only types that JSON
 * preserves: texts, numbers, booleans and JSON. All see the same snapshot. Later queries and plain SQL texts are sent
 * on their own.
 */
export async function combineReads<T>(tx: Tx, issueReads: (tx: Tx) => Promise<T>): Promise<T> {
  const combined = new CombinedReads(tx);
  const [result] = await Promise.all([issueReads(combined), turn().then(() => combined.flush())]);
  return result;
}

interface QueuedRead extends BoundQuery {
  readonly completion: PromiseWithResolvers<unknown[]>;
}

class CombinedReads implements Tx {
  private queued: QueuedRead[] | undefined = [];

  constructor(private readonly tx: Tx) {}

  get workspace(): string {
    return this.tx.workspace;
  }

  async query<Row>(sql: string | PreparedQuery, values: readonly unknown[] = []): Promise<Row[]> {
    if (typeof sql === 'string' || !this.queued) return this.tx.query<Row>(sql, values);
    const completion = Promise.withResolvers<unknown[]>();
    this.queued.push({ query: sql, values, completion });
    return (await completion.promise) as Row[];
  }

  /** Sends the queued queries and settles each of them. */
  async flush(): Promise<void> {
    const reads = this.queued!;
    this.queued = undefined;
    try {
      const results = await this.execute(reads);
      for (const [i, { completion }] of reads.entries()) completion.resolve(results[i]!);
    } catch (error) {
      for (const { completion } of reads) completion.reject(error);
    }
  }

  now(): Promise<Instant> {
    return this.tx.now();
  }

  deferToCommit(sql: string | PreparedQuery, values?: readonly unknown[]): void {
    this.tx.deferToCommit(sql, values);
  }

  emit(event: OutgoingEvent): void {
    this.tx.emit(event);
  }

  countUsage(kind: UsageKind, amount: number): void {
    this.tx.countUsage(kind, amount);
  }

  entityManager(): ReturnType<Tx['entityManager']> {
    return this.tx.entityManager();
  }

  private async execute(queries: readonly BoundQuery[]): Promise<unknown[][]> {
    const results: unknown[][] = queries.map(() => []);
    if (queries.length === 1) return [await this.tx.query(queries[0]!.query, queries[0]!.values)];
    if (queries.length === 0) return results;
    const { query, values } = combineReadSql(queries);
    const rows = await this.tx.query<{ part: number; row: unknown }>(query, values);
    for (const { part, row } of rows) results[part]!.push(row);
    return results;
  }
}
