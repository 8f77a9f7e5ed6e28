import { setImmediate as turn } from 'node:timers/promises';
import type { Instant } from '#domain/time/instant.js';
import { asOneRead, type Call, type Statement } from './statement.js';
import type { OutgoingEvent, Tx } from './transaction.js';

/**
 * Has the kept statements that `ask` sends before the event loop turns leave as one. None of them may wait for another.
 * Their rows travel as JSON, so they must select what JSON can say as well: texts, numbers, truths and JSON itself.
 * All see the database as it was before any of them. What is sent later, and plain text, goes by itself as ever.
 */
export async function inOneStatement<T>(tx: Tx, ask: (tx: Tx) => Promise<T>): Promise<T> {
  const joined = new JoinedReads(tx);
  const [answer] = await Promise.all([ask(joined), turn().then(() => joined.send())]);
  return answer;
}

interface Waiting extends Call {
  readonly answer: PromiseWithResolvers<unknown[]>;
}

class JoinedReads implements Tx {
  private waiting: Waiting[] | undefined = [];

  constructor(private readonly tx: Tx) {}

  get workspace(): string {
    return this.tx.workspace;
  }

  async query<Row>(sql: string | Statement, values: readonly unknown[] = []): Promise<Row[]> {
    if (typeof sql === 'string' || !this.waiting) return this.tx.query<Row>(sql, values);
    const answer = Promise.withResolvers<unknown[]>();
    this.waiting.push({ statement: sql, values, answer });
    return (await answer.promise) as Row[];
  }

  /** Sends what has gathered. What goes wrong is told to those who wait. */
  async send(): Promise<void> {
    const waiting = this.waiting!;
    this.waiting = undefined;
    try {
      const answers = await this.answersTo(waiting);
      for (const [i, { answer }] of waiting.entries()) answer.resolve(answers[i]!);
    } catch (error) {
      for (const { answer } of waiting) answer.reject(error);
    }
  }

  now(): Promise<Instant> {
    return this.tx.now();
  }

  queryAhead(sql: Statement, values?: readonly unknown[]): void {
    this.tx.queryAhead(sql, values);
  }

  queryWithCommit(sql: string | Statement, values?: readonly unknown[]): void {
    this.tx.queryWithCommit(sql, values);
  }

  afterCommit(work: () => void): void {
    this.tx.afterCommit(work);
  }

  emit(event: OutgoingEvent): void {
    this.tx.emit(event);
  }

  entities(): ReturnType<Tx['entities']> {
    return this.tx.entities();
  }

  private async answersTo(calls: readonly Call[]): Promise<unknown[][]> {
    const answers: unknown[][] = calls.map(() => []);
    if (calls.length === 1) return [await this.tx.query(calls[0]!.statement, calls[0]!.values)];
    if (calls.length === 0) return answers;
    const { statement, values } = asOneRead(calls);
    const rows = await this.tx.query<{ part: number; row: unknown }>(statement, values);
    for (const { part, row } of rows) answers[part]!.push(row);
    return answers;
  }
}
