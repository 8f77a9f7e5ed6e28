import type { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { v7 as uuidv7 } from 'uuid';
import type { Instant } from '#domain/time/instant.js';
import { remainingMs } from '#kernel/context/request-context.js';
import { HubError } from '#kernel/errors/errors.js';
import { isContention, toHubError } from './failures.js';
import { joinTransaction } from './orm.js';
import type { OutgoingEvent, Transaction, Tx } from './transaction.js';

/** The roles that the hub works as; see roles.ts for what each may touch. */
export type DatabaseRole = 'rapport_app' | 'rapport_system';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const ATTEMPTS = 3;
const COMMIT_TIMEOUT_MS = 10_000;

/**
 * The only way to the database while the hub serves. Every transaction begins with one round trip that takes the role
 * and, for tenant work, the workspace; both end with the transaction, so a pooled connection carries nothing over.
 */
export class UnitOfWork {
  constructor(
    private readonly pool: pg.Pool,
    private readonly orm: MikroORM,
    private readonly timeoutMs: number,
  ) {}

  private afterEmit: () => void = () => undefined;

  /** Has `listener` called, in this process, whenever a transaction that put events into the outbox has committed. */
  onEmitted(listener: () => void): void {
    this.afterEmit = listener;
  }

  /**
   * Runs `work` inside the tenant context of one workspace and commits; row-level security hides every other one.
   * Two transactions that deadlock are run again; what the database cannot do now becomes `unavailable`.
   * @param budgetMs how long it may take; by default what the request at hand has left.
   */
  async run<T>(workspace: string, work: (tx: Tx) => Promise<T>, budgetMs = this.budget()): Promise<T> {
    if (!UUID.test(workspace)) throw new Error('a tenant transaction needs the id of a workspace');
    let events: OutgoingEvent[] = [];
    const deadline = performance.now() + budgetMs;
    const result = await this.attempt('rapport_app', workspace, deadline, async transaction => {
      events = [];
      const done = await work({ ...transaction, workspace, emit: event => events.push(event) });
      if (events.length > 0) appendToOutbox(transaction, workspace, events);
      return done;
    });
    if (events.length > 0) this.afterEmit();
    return result;
  }

  /** Runs `work` as the role that sees the directory (workspaces, keys) and the outbox of all workspaces. */
  system<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.attempt('rapport_system', '', performance.now() + this.budget(), work);
  }

  /** Milliseconds that a transaction begun now may take: what the request at hand has left, or the whole allowance. */
  private budget(): number {
    return Math.min(this.timeoutMs, remainingMs() ?? this.timeoutMs);
  }

  private async attempt<T>(
    role: DatabaseRole,
    workspace: string,
    deadline: number,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(role, workspace, deadline, work);
      } catch (error) {
        if (attempt === ATTEMPTS || !isContention(error)) throw toHubError(error);
      }
    }
  }

  private async once<T>(
    role: DatabaseRole,
    workspace: string,
    deadline: number,
    work: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const client = await this.pool.connect();
    const budget = Math.max(1, Math.ceil(deadline - performance.now()));
    let overdue = false;
    const hangUp = setTimeout(() => {
      overdue = true;
      destroy(client);
    }, budget);
    try {
      const now = await begin(client, role, workspace, budget);
      const { transaction, deferred } = open(client, this.orm, now);
      const result = await work(transaction);
      clearTimeout(hangUp);
      await commit(client, deferred);
      client.release();
      return result;
    } catch (error) {
      clearTimeout(hangUp);
      await rollback(client);
      throw overdue ? HubError.unavailable('The database took too long; nothing was changed.', error) : error;
    }
  }
}

type Statement = readonly [sql: string, values: readonly unknown[]];

function open(client: pg.PoolClient, orm: MikroORM, now: Instant) {
  const deferred: Statement[] = [];
  let entities: Promise<EntityManager> | undefined;
  const transaction: Transaction = {
    now,
    query: async (sql, values) => (await client.query(sql, values as unknown[])).rows,
    queryWithCommit: (sql, values = []) => deferred.push([sql, values]),
    entities: () => (entities ??= entityManagerOver(client, orm)),
  };
  return { transaction, deferred };
}

async function entityManagerOver(client: pg.PoolClient, orm: MikroORM): Promise<EntityManager> {
  const em = orm.em.fork({ clear: true });
  em.setTransactionContext(await joinTransaction(client));
  return em;
}

/** One simple query, so one round trip: the role and the workspace are literals because that protocol has no values. */
async function begin(client: pg.PoolClient, role: DatabaseRole, workspace: string, timeoutMs: number) {
  const settings = `set_config('role', '${role}', true), set_config('app.workspace_id', '${workspace}', true),
    set_config('statement_timeout', '${timeoutMs}', true)`;
  const answers: unknown = await client.query(`BEGIN; SELECT ${settings}, now() AS now`);
  const [, context] = answers as [unknown, pg.QueryResult<{ now: Instant }>];
  return context.rows[0]!.now;
}

/**
 * Sends what was deferred and COMMIT in one round trip. A transaction that has failed answers COMMIT with ROLLBACK
 * instead of an error: that must not pass for success. No answer at all leaves the outcome open, and is said so.
 */
async function commit(client: pg.PoolClient, deferred: readonly Statement[]): Promise<void> {
  const sent = deferred.map(([sql, values]) => client.query(sql, values as unknown[]));
  const end = client.query({ text: 'COMMIT', query_timeout: COMMIT_TIMEOUT_MS } as pg.QueryConfig).catch(error => {
    throw HubError.unavailable('The database did not confirm the write; repeat it with the same Idempotency-Key.', error);
  });
  const [last, ...others] = await Promise.allSettled([end, ...sent]);
  const failed = [...others, last].find(outcome => outcome.status === 'rejected');
  if (failed) throw failed.reason;
  const confirmed = last.status === 'fulfilled' && last.value.command === 'COMMIT';
  if (!confirmed) throw new Error('the transaction was rolled back by the database');
}

async function rollback(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch {
    client.release(true);
  }
}

/** Cuts the connection: the server rolls back, and the statements that wait on it fail. */
function destroy(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

function appendToOutbox(tx: Transaction, workspace: string, events: readonly OutgoingEvent[]): void {
  tx.queryWithCommit(
    `INSERT INTO outbox (workspace_id, id, type, payload)
     SELECT $1, id, type, payload FROM unnest($2::uuid[], $3::text[], $4::jsonb[]) AS event (id, type, payload)`,
    [workspace, events.map(() => uuidv7()), events.map(e => e.type), events.map(e => JSON.stringify(e.payload))],
  );
}
