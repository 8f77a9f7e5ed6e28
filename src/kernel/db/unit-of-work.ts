import { setTimeout as pause } from 'node:timers/promises';
import type { MikroORM } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { countConnection, holdsConnection, isAnonymousRequest, remainingMs } from '#kernel/request-context.js';
import { FairGate } from '#kernel/scheduling/cooperative-scheduler.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { Tx, Transaction } from './transaction.js';
import { isContention, isTransient, toHubError } from './database-errors.js';
import { destroyConnection } from './pool.js';
import { PreparedStatementSupport } from './prepared-query.js';
import { type DatabaseRole, type DatabaseTuning, OpenTransaction, type UsageGuard } from './open-transaction.js';

/** Carries the result of a dry run out of the transaction that it rolls back. */
class DryRunRollbackError<T> extends Error {
  constructor(readonly result: T) {
    super('a dry run is rolled back');
  }
}

/**
 * Runs a write. A dry run executes it completely and rolls it back, so that its result is exact.
 * @param options `mayChangeLog`: runs it as {@link UnitOfWork.erase} does. Default false.
 */
export async function runMaybeDry<T>(
  work: UnitOfWork,
  workspace: string,
  isDryRun: boolean,
  write: (tx: Tx) => Promise<T>,
  { mayChangeLog = false, ...options }: RunOptions & { readonly mayChangeLog?: boolean } = {},
): Promise<T> {
  const run = (each: (tx: Tx) => Promise<T>) =>
    mayChangeLog ? work.erase(workspace, each, options) : work.run(workspace, each, options);
  if (!isDryRun) return run(write);
  const writeAndRollBack = async (tx: Tx): Promise<T> => {
    throw new DryRunRollbackError(await write(tx));
  };
  try {
    return await run(writeAndRollBack);
  } catch (error) {
    if (error instanceof DryRunRollbackError) return error.result as T;
    throw error;
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** Maximum number of attempts. Contention can repeat, because each merge moves rows that others are about to write. */
const MAX_ATTEMPTS = 20;
/**
 * Maximum random delay before a retry for each failed attempt, in milliseconds; separates transactions that collided.
 */
const RETRY_JITTER_MS = 2;
/**
 * Minimum time for COMMIT after the work is done, in milliseconds: without its response the outcome of the write is
 * unknown.
 */
const MIN_COMMIT_TIMEOUT_MS = 1_000;

/** Owner of the transactions of callers without an API key. */
const ANONYMOUS = 'anonymous';
/** Minimum number of connections that a workspace may hold. */
const MIN_SHARE = 2;
/** Share of the pool that a workspace may hold while others are active: a quarter. */
const SHARES = 4;

/** Returns the gate before a pool: an owner holds at most a quarter while others are active, and never all of it. */
function createGate(maxConnections: number): FairGate {
  const maxShared = Math.max(MIN_SHARE, Math.floor(maxConnections / SHARES));
  return new FairGate({
    maxTotal: maxConnections,
    maxShared,
    maxAlone: Math.max(maxShared, maxConnections - MIN_SHARE),
  });
}

/** Role, workspace and deadline (in milliseconds of `performance.now()`) of a transaction. */
interface TransactionOptions {
  readonly role: DatabaseRole;
  readonly workspace: string;
  readonly deadline: number;
  readonly useGenericPlans: boolean;
}

/** Loads a value of a workspace before its transactions begin. */
export interface WorkspaceLoader {
  /** Returns whether the value is loaded and has not expired. */
  isLoaded(workspace: string): boolean;
  /** Loads the value in a system transaction. */
  load(tx: Transaction, workspace: string): Promise<void>;
}

/** Options of a transaction. */
export interface RunOptions {
  /** Time limit in milliseconds; defaults to the remaining time of the current request. */
  readonly budgetMs?: number;
  /**
   * Uses one generic plan for all values. For transactions that consist only of statements whose plan never changes.
   */
  readonly useGenericPlans?: boolean;
}

/**
 * Thrown if a connection was lost before its first response: nothing sent on it took effect, so another one can be
 * tried.
 */
class StaleConnectionError extends Error {}

/**
 * Runs all transactions of the hub. Each begins by setting the role and, for tenant work, the workspace; both end
 * with the transaction, so a pooled connection carries nothing over.
 */
export class UnitOfWork {
  private emitListener: () => void = () => undefined;
  private readonly loaders: WorkspaceLoader[] = [];
  private readonly preparedStatements = new PreparedStatementSupport();
  private readonly gate: FairGate;
  private usageGuard: UsageGuard | undefined;

  constructor(
    private readonly pool: pg.Pool,
    private readonly orm: MikroORM,
    private readonly timeoutMs: number,
    private readonly tuning: DatabaseTuning,
  ) {
    this.gate = createGate(pool.options.max);
  }

  /** Returns the number of transactions that wait for the turn of their workspace. */
  get waitingForTurn(): number {
    return this.gate.waiters;
  }

  /** Sets what holds writes to the quotas of their workspace. */
  setUsageGuard(guard: UsageGuard): void {
    this.usageGuard = guard;
  }

  /** Sets a listener that is called in this process after each commit of a transaction with events. */
  onEmitted(listener: () => void): void {
    this.emitListener = listener;
  }

  /** Loads a value before a transaction of a workspace begins in which it is missing or expired. */
  loadBeforeTransactions(loader: WorkspaceLoader): void {
    this.loaders.push(loader);
  }

  /**
   * Runs `work` in the tenant context of one workspace and commits; row-level security hides all other workspaces.
   * Retries on contention, so `work` may run several times.
   * @throws HubError `unavailable` if the database is unreachable, overloaded or too slow.
   */
  run<T>(workspace: string, work: (tx: Tx) => Promise<T>, options: RunOptions = {}): Promise<T> {
    return this.runInTenant('rapport_app', workspace, work, options);
  }

  /**
   * Runs `work` like {@link run}, as the role that may delete and change rows of the log. Only erasure,
   * retention and retraction use it.
   * @throws HubError `unavailable` if the database is unreachable, overloaded or too slow.
   */
  erase<T>(workspace: string, work: (tx: Tx) => Promise<T>, options: RunOptions = {}): Promise<T> {
    return this.runInTenant('rapport_eraser', workspace, work, options);
  }

  /** Runs `work` as the role that sees the directory (workspaces, keys) and the outbox of all workspaces. */
  system<T>(
    work: (tx: Transaction) => Promise<T>,
    { useGenericPlans = false }: Pick<RunOptions, 'useGenericPlans'> = {},
  ): Promise<T> {
    const deadline = performance.now() + this.remainingBudgetMs();
    return this.runWithRetries({ role: 'rapport_system', workspace: '', deadline, useGenericPlans }, work);
  }

  /**
   * Runs `work` as the role that sees users, passwords, sessions and memberships, and nothing of the graph.
   * @param workspace shows the memberships and invitations of one workspace only. Default: those of all, for a sign-in.
   */
  auth<T>(work: (tx: Transaction) => Promise<T>, workspace = ''): Promise<T> {
    const deadline = performance.now() + this.remainingBudgetMs();
    return this.runWithRetries({ role: 'rapport_auth', workspace, deadline, useGenericPlans: false }, work);
  }

  private async runInTenant<T>(
    role: DatabaseRole,
    workspace: string,
    work: (tx: Tx) => Promise<T>,
    { budgetMs = this.remainingBudgetMs(), useGenericPlans = false }: RunOptions,
  ): Promise<T> {
    if (!UUID.test(workspace)) throw new Error('a tenant transaction needs the id of a workspace');
    return this.loadAndRun({ role, workspace, deadline: performance.now() + budgetMs, useGenericPlans }, work);
  }

  private async loadAndRun<T>(options: TransactionOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
    const { workspace } = options;
    const open = this.loaders.filter(loader => !loader.isLoaded(workspace));
    if (open.length > 0) await this.system(tx => Promise.all(open.map(loader => loader.load(tx, workspace))));
    return this.runWithRetries(options, work);
  }

  /**
   * Returns the time limit of a transaction that begins now, in milliseconds: the remaining time of the current
   * request, at most the request timeout.
   */
  private remainingBudgetMs(): number {
    return Math.min(this.timeoutMs, remainingMs() ?? this.timeoutMs);
  }

  private async runWithRetries<T>(options: TransactionOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.runOnce(options, work);
      } catch (error) {
        const shouldRetry =
          error instanceof StaleConnectionError
            ? attempt < this.pool.options.max
            : (isContention(error) || this.preparedStatements.isStatementLost(error)) && attempt < MAX_ATTEMPTS;
        if (!shouldRetry) throw toHubError(error instanceof StaleConnectionError ? error.cause : error);
        if (isContention(error)) await pause(Math.random() * RETRY_JITTER_MS * attempt);
      }
    }
  }

  /**
   * Runs a transaction in the turn of its owner: its workspace, or all callers without a key together. A request that
   * holds a connection already does not wait for its own turn, and neither does the hub's own work.
   */
  private async runOnce<T>(options: TransactionOptions, work: (tx: Tx) => Promise<T>): Promise<T> {
    const owner = options.workspace || (isAnonymousRequest() ? ANONYMOUS : undefined);
    if (owner === undefined || holdsConnection()) return this.runConnected(options, work);
    if (!this.gate.tryEnter(owner)) {
      await this.gate.enter(owner, Math.max(1, options.deadline - performance.now())).catch(throwUnavailable);
    }
    countConnection(1);
    try {
      return await this.runConnected(options, work);
    } finally {
      countConnection(-1);
      this.gate.leave(owner);
    }
  }

  private async runConnected<T>(
    { role, workspace, deadline, useGenericPlans }: TransactionOptions,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> {
    const client = await this.pool.connect();
    const { orm, preparedStatements, tuning, usageGuard } = this;
    const tx = new OpenTransaction(client, orm, preparedStatements, tuning, workspace, usageGuard);
    const budgetMs = Math.max(1, Math.ceil(deadline - performance.now()));
    let isOverdue = false;
    const timer = setTimeout(() => {
      isOverdue = true;
      destroyConnection(client);
    }, budgetMs);
    try {
      const [beginning, outcome] = await Promise.allSettled([tx.begin(role, budgetMs, useGenericPlans), work(tx)]);
      if (beginning.status === 'rejected')
        throw isOverdue ? beginning.reason : toStaleConnectionError(beginning.reason);
      if (outcome.status === 'rejected') throw outcome.reason;
      clearTimeout(timer);
      await tx.commit(Math.max(deadline - performance.now(), MIN_COMMIT_TIMEOUT_MS));
      client.release();
      if (tx.usage.size > 0) this.usageGuard?.record(workspace, tx.usage);
      if (tx.events.length > 0) this.emitListener();
      return outcome.value;
    } catch (error) {
      clearTimeout(timer);
      const usable = await tx.rollback();
      client.release(!usable);
      throw isOverdue ? HubError.unavailable('The database took too long; nothing was changed.', error) : error;
    }
  }
}

function throwUnavailable(error: unknown): never {
  throw HubError.unavailable('Other requests of this workspace were still running; nothing was changed.', error);
}

function toStaleConnectionError(error: unknown): unknown {
  return isTransient(error) ? new StaleConnectionError(undefined, { cause: error }) : error;
}
