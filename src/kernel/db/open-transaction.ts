import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { newId } from '#kernel/ids.js';
import type { Instant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/errors.js';
import { arrayLiteral, jsonList, jsonsIn } from './array-literal.js';
import { type Asked, Burst, wireValues } from './burst.js';
import { hangUp } from './hang-up.js';
import type { KeptStatements } from './kept-statements.js';
import { joinTransaction } from './orm.js';
import { readAs } from './pool.js';
import { asOne, type Call, type Statement, statement } from './statement.js';
import type { OutgoingEvent, Tx } from './transaction.js';

/** Codes of a server that ends a connection, and of a pooler whose server has. */
const GONE = /^(?:08|57P|58)/;

/** The roles that the hub works as; see roles.ts for what each may touch. */
export type DatabaseRole = 'rapport_app' | 'rapport_system';

/** Puts events into the outbox. */
export const INSERT_EVENTS = statement(
  `INSERT INTO outbox (workspace_id, id, events, event_count)
   SELECT $1, id, events, event_count FROM unnest($2::uuid[], ${jsonsIn(3)}::json[], $4::integer[]) AS batch (id, events, event_count)`,
);
/** Most events in a row of the outbox; more of a transaction are several rows. */
const EVENTS_PER_BATCH = 100;

/** A call takes one processor of the server: to start helpers or to compile a plan takes longer than a page does. */
const SETTINGS = `set_config('role', $1, true), set_config('app.workspace_id', $2, true),
  set_config('statement_timeout', $3, true), set_config('max_parallel_workers_per_gather', '0', true),
  set_config('jit', 'off', true)`;
/** An index also where a table is small as yet: the plan stays when it has grown. */
const ONE_PLAN_FOR_ALL = `set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`;
const SET = statement(`SELECT ${SETTINGS}, now() AS now, pg_backend_pid() AS backend`);
const SET_KEEPING_PLANS = statement(
  `SELECT ${SETTINGS}, ${ONE_PLAN_FOR_ALL}, now() AS now, pg_backend_pid() AS backend`,
);

/** A connection that does not answer ROLLBACK for this long is given up. */
const ROLLBACK_TIMEOUT_MS = 1_000;

/** A transaction on one connection, from BEGIN to COMMIT. The unit of work makes it and ends it. */
export class OpenTransaction implements Tx {
  /** Events that {@link emit} was given. */
  readonly events: OutgoingEvent[] = [];
  private readonly committed: (() => void)[] = [];
  private readonly deferred: (readonly [sql: string | Statement, values: readonly unknown[]])[] = [];
  private begun: Promise<Instant> | undefined;
  private em: Promise<EntityManager> | undefined;
  private burst: Burst | undefined;
  private leaving = false;
  private readonly ahead: Promise<pg.QueryResult>[] = [];
  private ended = false;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly orm: MikroORM,
    private readonly kept: KeptStatements,
    readonly workspace: string,
  ) {}

  async now(): Promise<Instant> {
    if (this.begun === undefined) throw new Error('the transaction has not begun');
    return this.begun;
  }

  /** Work that goes on after another part of it has failed must not reach the connection: its role is the owner's again. */
  async query<Row>(sql: string | Statement, values?: readonly unknown[]): Promise<Row[]> {
    return (await this.sendWhileOpen(sql, values)).rows as Row[];
  }

  queryAhead(sql: Statement, values?: readonly unknown[]): void {
    if (this.ended) throw new Error('the transaction has ended');
    const answer = this.opened().ask(this.asked(sql, values));
    answer.catch(() => undefined);
    this.ahead.push(answer);
    this.burst!.leaveInPart(this.client);
  }

  queryWithCommit(sql: string | Statement, values: readonly unknown[] = []): void {
    this.deferred.push([sql, values]);
  }

  afterCommit(work: () => void): void {
    this.committed.push(work);
  }

  emit(event: OutgoingEvent): void {
    this.events.push(event);
  }

  entities(): Promise<EntityManager> {
    return (this.em ??= this.joinedEntityManager());
  }

  /**
   * The work may send its first statements without waiting for the answer: they leave together, and should this fail,
   * so does every statement behind it. Only the settings are kept by name: were `BEGIN` not known by its own, what comes
   * later would run outside of any transaction.
   */
  begin(role: DatabaseRole, timeoutMs: number, keepPlans: boolean): Promise<Instant> {
    const values = [role, this.workspace, String(timeoutMs)];
    const both = Promise.all([this.send('BEGIN'), this.send(keepPlans ? SET_KEEPING_PLANS : SET, values)]);
    both.catch(() => void (this.ended = true));
    return (this.begun = both.then(([, set]) => {
      const { now, backend } = set.rows[0] as { now: Instant; backend: number };
      this.kept.met(this.client, backend);
      return now;
    }));
  }

  /**
   * Sends what was deferred and COMMIT in one round trip. A transaction that has failed answers COMMIT with ROLLBACK
   * instead of an error: that must not pass for success. If the server refuses what was deferred it never comes to
   * COMMIT. No answer at all leaves the outcome open, and is said so.
   * @param timeoutMs how long the answer may take; without it the connection is given up.
   */
  async commit(timeoutMs: number): Promise<void> {
    if (this.events.length > 0) this.deferOutbox();
    this.ended = true;
    const all = [...this.gathered().map(([sql, values]) => this.asked(sql, values)), this.asked('COMMIT')];
    const late = setTimeout(() => hangUp(this.client), timeoutMs);
    const outcomes = await Promise.allSettled([...this.ahead, ...all.map(each => this.ask(each))]);
    clearTimeout(late);
    const refused = outcomes.find(isRefused);
    if (refused) throw refused.reason;
    const last = outcomes.at(-1)!;
    if (last.status === 'rejected') throw unconfirmed(last.reason);
    if (last.value.command !== 'COMMIT') throw new Error('the transaction was rolled back by the database');
    for (const work of this.committed) work();
  }

  /** Takes everything back. @returns whether the connection can be used again. */
  async rollback(): Promise<boolean> {
    this.ended = true;
    this.leave();
    const undo = { text: 'ROLLBACK', query_timeout: ROLLBACK_TIMEOUT_MS };
    return this.client.query(undo as pg.QueryConfig).then(
      () => true,
      () => false,
    );
  }

  /** What was deferred, the kept statements among it as one; of two that are the same the second goes by itself. */
  private gathered(): (readonly [sql: string | Statement, values: readonly unknown[]])[] {
    const parts = new Map<string, Call>();
    const others: (readonly [sql: string | Statement, values: readonly unknown[]])[] = [];
    for (const [sql, values] of this.deferred) {
      if (typeof sql === 'string' || parts.has(sql.name)) others.push([sql, values]);
      else parts.set(sql.name, { statement: sql, values });
    }
    if (parts.size < 2) return this.deferred;
    const { statement: all, values } = asOne([...parts.values()]);
    return [...others, [all, values]];
  }

  private async sendWhileOpen(sql: string | Statement, values?: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.ended) throw new Error('the transaction has ended');
    return this.send(sql, values);
  }

  private send(sql: string | Statement, values?: readonly unknown[]): Promise<pg.QueryResult> {
    return this.ask(this.asked(sql, values));
  }

  private asked(sql: string | Statement, given: readonly unknown[] = []): Asked {
    const values = wireValues(given.map(value => (Array.isArray(value) ? arrayLiteral(value) : value)));
    if (typeof sql === 'string') return { text: sql, values };
    const { name, text } = sql;
    return this.kept.on(this.client) ? { name, text, values } : { text, values };
  }

  /** What is asked for at the same time leaves together. */
  private ask(asked: Asked): Promise<pg.QueryResult> {
    const answer = this.opened().ask(asked);
    if (!this.leaving) process.nextTick(() => this.leave());
    this.leaving = true;
    return answer;
  }

  private opened(): Burst {
    return (this.burst ??= new Burst(readAs));
  }

  private leave(): void {
    this.leaving = false;
    this.burst?.leave(this.client);
    this.burst = undefined;
  }

  private deferOutbox(): void {
    const events = this.events.map(({ type, payload }) => ({ id: newId(), type, payload }));
    const batches = Array.from({ length: Math.ceil(events.length / EVENTS_PER_BATCH) }, (_, i) =>
      events.slice(i * EVENTS_PER_BATCH, (i + 1) * EVENTS_PER_BATCH),
    );
    this.queryWithCommit(INSERT_EVENTS, [
      this.workspace,
      batches.map(() => newId()),
      jsonList(batches),
      batches.map(batch => batch.length),
    ]);
  }

  private async joinedEntityManager(): Promise<EntityManager> {
    const em = this.orm.em.fork({ clear: true });
    em.setTransactionContext(await joinTransaction((text, values) => this.sendWhileOpen(text, values)));
    return em;
  }
}

/**
 * The server has said no to a statement, so nothing of the transaction stays. That it goes away, or that somebody between
 * says so of it, is no answer.
 */
function isRefused(outcome: PromiseSettledResult<unknown>): outcome is PromiseRejectedResult {
  if (outcome.status === 'fulfilled' || !(outcome.reason instanceof pg.DatabaseError)) return false;
  const { severity, code = '' } = outcome.reason;
  return severity !== 'FATAL' && severity !== 'PANIC' && !GONE.test(code);
}

function unconfirmed(cause: unknown): HubError {
  const detail = 'The database did not confirm the write; repeat it with the same Idempotency-Key.';
  return HubError.unavailable(detail, cause);
}
