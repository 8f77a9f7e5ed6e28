import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { newId } from '#kernel/ids.js';
import type { Instant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { destroyConnection, typeParsers } from './pool.js';
import { QueryPipeline, type QueuedQuery, encodeParams } from './query-pipeline.js';
import {
  type BoundQuery,
  type PreparedQuery,
  type PreparedStatementSupport,
  combineWriteSql,
  prepare,
  toJsonTexts,
} from './prepared-query.js';
import { createKyselyTransaction } from './orm.js';
import type { OutgoingEvent, Tx, UsageKind } from './transaction.js';

/** SQLSTATEs of a server that closes a connection, and of a pooler that lost its server. */
const CONNECTION_LOST_SQLSTATE = /^(?:08|57P|58)/;

/** Roles of the hub's transactions; see roles.ts for their permissions. */
export type DatabaseRole = 'rapport_app' | 'rapport_system' | 'rapport_eraser' | 'rapport_auth';

/** What makes transactions faster; see docs/write-path.md. Each can be turned off by a setting. */
export interface DatabaseTuning {
  /** DATABASE_PIPELINE: statements that do not wait for each other share a round trip. */
  readonly pipeline: boolean;
  /** DATABASE_GENERIC_PLANS: transactions of the hot paths use one plan for all values. */
  readonly genericPlans: boolean;
}

/** Inserts events into the outbox. */
export const INSERT_EVENTS = prepare(
  `INSERT INTO outbox (workspace_id, id, events, event_count)
   SELECT $1, id, events, event_count FROM unnest($2::uuid[], $3::json[], $4::integer[]) AS batch (id, events, event_count)`,
);
/** Maximum number of events in an outbox row; a transaction with more events writes several rows. */
const MAX_EVENTS_PER_BATCH = 100;

/**
 * A call uses one processor of the server: starting parallel workers or compiling a plan takes longer than reading a
 * page.
 */
const SESSION_SETTINGS = `set_config('role', $1, true), set_config('app.workspace_id', $2, true),
  set_config('statement_timeout', $3, true), set_config('max_parallel_workers_per_gather', '0', true),
  set_config('jit', 'off', true)`;
/** Uses indexes also while a table is small: the generic plan stays when it has grown. */
const GENERIC_PLAN_SETTINGS = `set_config('plan_cache_mode', 'force_generic_plan', true), set_config('enable_seqscan', 'off', true)`;
const APPLY_SETTINGS = prepare(`SELECT ${SESSION_SETTINGS}, now() AS now, pg_backend_pid() AS backend`);
const APPLY_SETTINGS_WITH_GENERIC_PLANS = prepare(
  `SELECT ${SESSION_SETTINGS}, ${GENERIC_PLAN_SETTINGS}, now() AS now, pg_backend_pid() AS backend`,
);

/** A connection that does not complete ROLLBACK within this time is closed. In milliseconds. */
const ROLLBACK_TIMEOUT_MS = 1_000;

/** Decides whether a workspace may write more, and counts what it wrote. */
export interface UsageGuard {
  /** @throws HubError `quota_exceeded` */
  check(workspace: string, kind: UsageKind, amount: number): void;
  /** Counts what a committed transaction added. */
  record(workspace: string, added: ReadonlyMap<UsageKind, number>): void;
}

/** A transaction on one connection, from BEGIN to COMMIT. The unit of work creates and ends it. */
export class OpenTransaction implements Tx {
  /** Events passed to {@link emit}. */
  readonly events: OutgoingEvent[] = [];
  /** Amounts passed to {@link countUsage}. */
  readonly usage = new Map<UsageKind, number>();
  private readonly deferred: (readonly [sql: string | PreparedQuery, values: readonly unknown[]])[] = [];
  private startedAt: Promise<Instant> | undefined;
  private manager: Promise<EntityManager> | undefined;
  private pipeline: QueryPipeline | undefined;
  /** The last statement, if they are sent one by one. */
  private previous: Promise<unknown> = Promise.resolve();
  private isEnded = false;

  constructor(
    private readonly client: pg.PoolClient,
    private readonly orm: MikroORM,
    private readonly preparedStatements: PreparedStatementSupport,
    private readonly tuning: DatabaseTuning,
    readonly workspace: string,
    private readonly usageGuard?: UsageGuard,
  ) {}

  async now(): Promise<Instant> {
    if (this.startedAt === undefined) throw new Error('the transaction has not begun');
    return this.startedAt;
  }

  /** Rejects queries after the transaction ended: the connection is back to the owner role. */
  async query<Row>(sql: string | PreparedQuery, values?: readonly unknown[]): Promise<Row[]> {
    return (await this.sendIfOpen(sql, values)).rows as Row[];
  }

  deferToCommit(sql: string | PreparedQuery, values: readonly unknown[] = []): void {
    this.deferred.push([sql, values]);
  }

  emit(event: OutgoingEvent): void {
    this.events.push(event);
  }

  countUsage(kind: UsageKind, amount: number): void {
    if (amount === 0) return;
    const total = (this.usage.get(kind) ?? 0) + amount;
    this.usageGuard?.check(this.workspace, kind, total);
    this.usage.set(kind, total);
  }

  entityManager(): Promise<EntityManager> {
    return (this.manager ??= this.createEntityManager());
  }

  /**
   * Begins the transaction. The caller may send its first statements without waiting: they leave in the same round
   * trip, and if this fails, every statement behind it fails too. Only the settings are a named statement: if `BEGIN`
   * were named and its name unknown to the server, later statements would run outside any transaction.
   */
  begin(role: DatabaseRole, timeoutMs: number, useGenericPlans: boolean): Promise<Instant> {
    const values = [role, this.workspace, String(timeoutMs)];
    const both = Promise.all([
      this.send('BEGIN'),
      this.send(
        useGenericPlans && this.tuning.genericPlans ? APPLY_SETTINGS_WITH_GENERIC_PLANS : APPLY_SETTINGS,
        values,
      ),
    ]);
    both.catch(() => void (this.isEnded = true));
    return (this.startedAt = both.then(([, set]) => {
      const { now, backend } = set.rows[0] as { now: Instant; backend: number };
      this.preparedStatements.observeBackend(this.client, backend);
      return now;
    }));
  }

  /**
   * Sends the deferred statements and COMMIT in one round trip. A failed transaction responds to COMMIT with ROLLBACK
   * instead of an error, which is detected here. If the server rejects a deferred statement, COMMIT does not run. If
   * there is no response, the outcome is unknown and the error says so.
   * @param timeoutMs time limit for the response, after which the connection is destroyed.
   */
  async commit(timeoutMs: number): Promise<void> {
    if (this.events.length > 0) this.deferOutboxInsert();
    this.isEnded = true;
    const all = [
      ...this.combineDeferred().map(([sql, values]) => this.toQueuedQuery(sql, values)),
      this.toQueuedQuery('COMMIT'),
    ];
    const timer = setTimeout(() => destroyConnection(this.client), timeoutMs);
    const outcomes = await Promise.allSettled(all.map(each => this.enqueue(each)));
    clearTimeout(timer);
    const rejected = outcomes.find(isRejectedByServer);
    if (rejected) throw rejected.reason;
    const last = outcomes.at(-1)!;
    if (last.status === 'rejected') throw toUnconfirmedError(last.reason);
    if (last.value.command !== 'COMMIT') throw new Error('the transaction was rolled back by the database');
  }

  /**
   * Rolls back.
   * @returns whether the connection can be used again.
   */
  async rollback(): Promise<boolean> {
    this.isEnded = true;
    this.flush();
    await this.previous.catch(() => undefined);
    const rollback = { text: 'ROLLBACK', query_timeout: ROLLBACK_TIMEOUT_MS };
    return this.client.query(rollback as pg.QueryConfig).then(
      () => true,
      () => false,
    );
  }

  /**
   * Combines the deferred prepared queries into one, which is sent last. Of several with the same name it has the last; the
   * others are sent before it, in their order.
   */
  private combineDeferred(): (readonly [sql: string | PreparedQuery, values: readonly unknown[]])[] {
    const combinable = new Map<string, BoundQuery>();
    const others: (readonly [sql: string | PreparedQuery, values: readonly unknown[]])[] = [];
    for (const [sql, values] of this.deferred) {
      if (typeof sql === 'string') {
        others.push([sql, values]);
        continue;
      }
      const earlier = combinable.get(sql.name);
      if (earlier) others.push([earlier.query, earlier.values]);
      combinable.set(sql.name, { query: sql, values });
    }
    if (combinable.size < 2) return this.deferred;
    const { query: all, values } = combineWriteSql([...combinable.values()]);
    return [...others, [all, values]];
  }

  private async sendIfOpen(sql: string | PreparedQuery, values?: readonly unknown[]): Promise<pg.QueryResult> {
    if (this.isEnded) throw new Error('the transaction has ended');
    return this.send(sql, values);
  }

  private send(sql: string | PreparedQuery, values?: readonly unknown[]): Promise<pg.QueryResult> {
    return this.enqueue(this.toQueuedQuery(sql, values));
  }

  private toQueuedQuery(sql: string | PreparedQuery, values: readonly unknown[] = []): QueuedQuery {
    const params = encodeParams(values);
    if (typeof sql === 'string') return { text: sql, values: params };
    const { name, text } = sql;
    return this.preparedStatements.isSafeOn(this.client) ? { name, text, values: params } : { text, values: params };
  }

  /** Queries that are issued in the same tick are sent together. */
  private enqueue(query: QueuedQuery): Promise<pg.QueryResult> {
    if (!this.tuning.pipeline) return this.sendAfterPrevious(query);
    if (!this.pipeline) {
      this.pipeline = new QueryPipeline(typeParsers);
      process.nextTick(() => this.flush());
    }
    return this.pipeline.enqueue(query);
  }

  /** Sends a query when all before it have succeeded. */
  private sendAfterPrevious(query: QueuedQuery): Promise<pg.QueryResult> {
    const response = this.previous.then(() => this.client.query(query as pg.QueryConfig));
    this.previous = response;
    return response;
  }

  private flush(): void {
    this.pipeline?.flush(this.client);
    this.pipeline = undefined;
  }

  private deferOutboxInsert(): void {
    const events = this.events.map(({ type, payload }) => ({ id: newId(), type, payload }));
    const batches = Array.from({ length: Math.ceil(events.length / MAX_EVENTS_PER_BATCH) }, (_, i) =>
      events.slice(i * MAX_EVENTS_PER_BATCH, (i + 1) * MAX_EVENTS_PER_BATCH),
    );
    this.deferToCommit(INSERT_EVENTS, [
      this.workspace,
      batches.map(() => newId()),
      toJsonTexts(batches),
      batches.map(batch => batch.length),
    ]);
  }

  private async createEntityManager(): Promise<EntityManager> {
    const em = this.orm.em.fork({ clear: true });
    em.setTransactionContext(await createKyselyTransaction((text, values) => this.sendIfOpen(text, values)));
    return em;
  }
}

/**
 * Returns whether the server rejected a statement, so that nothing of the transaction remains. A lost connection
 * (server or pooler) leaves the outcome unknown.
 */
function isRejectedByServer(outcome: PromiseSettledResult<unknown>): outcome is PromiseRejectedResult {
  if (outcome.status === 'fulfilled' || !(outcome.reason instanceof pg.DatabaseError)) return false;
  const { severity, code = '' } = outcome.reason;
  return severity !== 'FATAL' && severity !== 'PANIC' && !CONNECTION_LOST_SQLSTATE.test(code);
}

function toUnconfirmedError(cause: unknown): HubError {
  const detail = 'The database did not confirm the write; repeat it with the same Idempotency-Key.';
  return HubError.unavailable(detail, cause);
}
