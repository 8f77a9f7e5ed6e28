import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { remainingMs } from '#kernel/context/request-context.js';
import { HubError } from '#kernel/errors/errors.js';
import { isContention, isPassing, toHubError } from './failures.js';
import { hangUp } from './hang-up.js';
import { KeptStatements } from './kept-statements.js';
import { type DatabaseRole, OpenTransaction } from './open-transaction.js';
import type { Transaction, Tx } from './transaction.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Writers may stand in each other's way again and again: each merge moves what others are about to write about. */
const ATTEMPTS = 20;
/** Before a next attempt: up to so much for each that has failed, so that those who met do not meet again. */
const STEP_ASIDE_MS = 2;
/** What COMMIT may take at least, once the work is done: without its answer nobody knows what became of the write. */
const COMMIT_MS = 1_000;

/** Who a transaction works as, for which workspace, and by when it must have ended on the clock of `performance`. */
interface Terms {
  readonly role: DatabaseRole;
  readonly workspace: string;
  readonly deadline: number;
  readonly keepPlans: boolean;
}

/** How a transaction runs. */
export interface RunOptions {
  /** How long it may take; by default what the request at hand has left. */
  readonly budgetMs?: number;
  /** Kept statements are planned once for all values. For work of nothing but statements whose plan never changes. */
  readonly keepPlans?: boolean;
}

/**
 * A connection that was lost before it answered for the first time: nothing that was sent on it stays, so another one may
 * be tried.
 */
class StaleConnection extends Error {}

/**
 * The only way to the database while the hub serves. Every transaction begins by taking the role and, for tenant work,
 * the workspace; both end with the transaction, so a pooled connection carries nothing over.
 */
export class UnitOfWork {
  private afterEmit: () => void = () => undefined;
  private readonly kept = new KeptStatements();

  constructor(
    private readonly pool: pg.Pool,
    private readonly orm: MikroORM,
    private readonly timeoutMs: number,
  ) {}

  /** Has `listener` called, in this process, whenever a transaction that put events into the outbox has committed. */
  onEmitted(listener: () => void): void {
    this.afterEmit = listener;
  }

  /**
   * Runs `work` inside the tenant context of one workspace and commits; row-level security hides every other one.
   * Two transactions that deadlock are run again; what the database cannot do now becomes `unavailable`.
   */
  run<T>(workspace: string, work: (tx: Tx) => Promise<T>, options: RunOptions = {}): Promise<T> {
    const { budgetMs = this.budget(), keepPlans = false } = options;
    if (!UUID.test(workspace)) throw new Error('a tenant transaction needs the id of a workspace');
    return this.attempt({ role: 'rapport_app', workspace, deadline: performance.now() + budgetMs, keepPlans }, work);
  }

  /** Runs `work` as the role that sees the directory (workspaces, keys) and the outbox of all workspaces. */
  system<T>(
    work: (tx: Transaction) => Promise<T>,
    { keepPlans = false }: Pick<RunOptions, 'keepPlans'> = {},
  ): Promise<T> {
    const deadline = performance.now() + this.budget();
    return this.attempt({ role: 'rapport_system', workspace: '', deadline, keepPlans }, work);
  }

  /** Milliseconds that a transaction begun now may take: what the request at hand has left, or the whole allowance. */
  private budget(): number {
    return Math.min(this.timeoutMs, remainingMs() ?? this.timeoutMs);
  }

  private async attempt<T>(terms: Terms, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(terms, work);
      } catch (error) {
        const again =
          error instanceof StaleConnection
            ? attempt < this.pool.options.max
            : (isContention(error) || this.kept.mislaid(error)) && attempt < ATTEMPTS;
        if (!again) throw toHubError(error instanceof StaleConnection ? error.cause : error);
        if (isContention(error)) await pause(Math.random() * STEP_ASIDE_MS * attempt);
      }
    }
  }

  private async once<T>({ role, workspace, deadline, keepPlans }: Terms, work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    const tx = new OpenTransaction(client, this.orm, this.kept, workspace);
    const budget = Math.max(1, Math.ceil(deadline - performance.now()));
    let overdue = false;
    const late = setTimeout(() => {
      overdue = true;
      hangUp(client);
    }, budget);
    try {
      const [begun, done] = await Promise.allSettled([tx.begin(role, budget, keepPlans), work(tx)]);
      if (begun.status === 'rejected') throw overdue ? begun.reason : asStale(begun.reason);
      if (done.status === 'rejected') throw done.reason;
      clearTimeout(late);
      await tx.commit(Math.max(deadline - performance.now(), COMMIT_MS));
      client.release();
      if (tx.events.length > 0) this.afterEmit();
      return done.value;
    } catch (error) {
      clearTimeout(late);
      const usable = await tx.rollback();
      client.release(!usable);
      throw overdue ? HubError.unavailable('The database took too long; nothing was changed.', error) : error;
    }
  }
}

function asStale(error: unknown): unknown {
  return isPassing(error) ? new StaleConnection(undefined, { cause: error }) : error;
}
