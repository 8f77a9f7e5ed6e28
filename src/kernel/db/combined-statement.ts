import { setImmediate as turn } from 'node:timers/promises';
import type { Instant } from '#domain/time/instant.js';
import { combineReadSql, type BoundQuery, type PreparedQuery } from './prepared-query.js';
import type { OutgoingEvent, Tx, UsageKind } from './transaction.js';

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
