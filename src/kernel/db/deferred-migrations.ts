import type pg from 'pg';
import { Inject, Injectable } from '@nestjs/common';
import type { UnitOfWork } from './unit-of-work.js';
import { ENV } from '../config/config.module.js';
import type { Env } from '../config/env.js';
import { PeriodicTask } from '../scheduling/periodic-task.js';
import type { Database } from './database.js';
import { DATABASE } from './database.module.js';

/** Advisory lock of all processes that run deferred migrations of one database; ASCII for RAPD. */
const DEFERRED_LOCK = 0x52415044;

/** Where a deferred migration works. */
export interface DeferredMigrationContext {
  /** Connections as the owner, from which row-level security hides all rows. */
  readonly pool: pg.Pool;
  readonly work: UnitOfWork;
}

/**
 * A part of a migration that takes long on a large database: an index, or a change of existing rows. It runs beside
 * running hubs and after the start, so the code that comes with it must work before it is done.
 */
export interface DeferredMigration {
  /** Unique among all deferred migrations, and never changed. */
  readonly name: string;
  /**
   * Runs one batch, which must be repeatable: a process that is killed runs its last batch again.
   * @param cursor what the batch before returned; undefined for the first
   * @returns the cursor of the next batch; undefined when all is done
   */
  runBatch(context: DeferredMigrationContext, cursor: string | undefined): Promise<string | undefined>;
}

/** Options of {@link runDeferredMigrations}. */
export interface DeferredMigrationOptions {
  /** Called after each batch with the name of the migration. */
  readonly onBatch?: (name: string) => void;
  /** Ends the work after the current batch. */
  readonly signal?: AbortSignal;
}

/**
 * Runs all deferred migrations that are not finished, unless another process does so. Progress is saved after each
 * batch.
 * @returns the names of those that were finished by this call, and whether none is left.
 */
export async function runDeferredMigrations(
  context: DeferredMigrationContext,
  migrations: readonly DeferredMigration[],
  { onBatch, signal }: DeferredMigrationOptions = {},
): Promise<{ finished: string[]; isComplete: boolean }> {
  const finished: string[] = [];
  if (migrations.length === 0) return { finished, isComplete: true };
  const lockHolder = await context.pool.connect();
  try {
    await lockHolder.query('BEGIN');
    const { rows } = await lockHolder.query<{ locked: boolean }>('SELECT pg_try_advisory_xact_lock($1) AS locked', [
      DEFERRED_LOCK,
    ]);
    if (!rows[0]!.locked) return { finished, isComplete: false };
    // The last statement keeps its snapshot until the next one, and building an index waits for all older snapshots.
    await lockHolder.query('SET LOCAL idle_in_transaction_session_timeout = 0');
    for (const migration of migrations) {
      const state = await readState(context, migration.name);
      if (state.isFinished) continue;
      for (let cursor = state.cursor; ;) {
        if (signal?.aborted) return { finished, isComplete: false };
        cursor = await migration.runBatch(context, cursor);
        await saveState(context, migration.name, cursor);
        onBatch?.(migration.name);
        if (cursor === undefined) break;
      }
      finished.push(migration.name);
    }
    return { finished, isComplete: true };
  } finally {
    await lockHolder.query('ROLLBACK').catch(() => undefined);
    lockHolder.release();
  }
}

/**
 * Returns the deferred migration that builds an index while its table is written to. What a killed process leaves is an
 * invalid index, which is dropped and built again.
 * @param index its name
 * @param statement the statement without the first words, such as `ON leads (workspace_id, status)`
 */
export function createIndexConcurrently(index: string, statement: string): DeferredMigration {
  return {
    name: `index ${index}`,
    async runBatch({ pool }) {
      const { rows } = await pool.query<{ is_valid: boolean }>(
        'SELECT indisvalid AS is_valid FROM pg_index WHERE indexrelid = to_regclass($1)',
        [index],
      );
      if (rows[0]?.is_valid) return undefined;
      if (rows[0]) await pool.query(`DROP INDEX CONCURRENTLY ${index}`);
      await pool.query(`CREATE INDEX CONCURRENTLY ${index} ${statement}`);
      return undefined;
    },
  };
}

/** Returns whether one of these migrations is not finished. One statement, or none without migrations. */
export async function hasUnfinishedMigrations(
  work: UnitOfWork,
  migrations: readonly DeferredMigration[],
): Promise<boolean> {
  if (migrations.length === 0) return false;
  const finished = await work.system(tx =>
    tx.query<{ name: string }>('SELECT name FROM deferred_migrations WHERE finished_at IS NOT NULL'),
  );
  const names = new Set(finished.map(({ name }) => name));
  return migrations.some(({ name }) => !names.has(name));
}

async function readState({ work }: DeferredMigrationContext, name: string) {
  const [row] = await work.system(tx =>
    tx.query<{ cursor: string | null; is_finished: boolean }>(
      'SELECT cursor, finished_at IS NOT NULL AS is_finished FROM deferred_migrations WHERE name = $1',
      [name],
    ),
  );
  return { cursor: row?.cursor ?? undefined, isFinished: row?.is_finished ?? false };
}

async function saveState({ work }: DeferredMigrationContext, name: string, cursor: string | undefined): Promise<void> {
  await work.system(tx =>
    tx.query(
      `INSERT INTO deferred_migrations (name, cursor, finished_at) VALUES ($1, $2::text, CASE WHEN $2::text IS NULL THEN now() END)
       ON CONFLICT (name) DO UPDATE SET cursor = excluded.cursor, finished_at = excluded.finished_at, updated_at = now()`,
      [name, cursor ?? null],
    ),
  );
}

const INTERVAL_MS = 10_000;

/** Runs deferred migrations in the background, in the roles `all` and `worker`, until none is left. */
@Injectable()
export class DeferredMigrationTask extends PeriodicTask {
  private readonly stopping = new AbortController();
  private isComplete = false;

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    @Inject(ENV) private readonly env: Env,
  ) {
    super({
      intervalMs: INTERVAL_MS,
      loggerName: 'migrations',
      failureMessage: 'Deferred migrations cannot be run',
    });
  }

  protected override isEnabled(): boolean {
    return this.env.role !== 'api' && this.database.hasDeferredMigrations;
  }

  protected async run(): Promise<void> {
    if (this.isComplete) return;
    const { isComplete } = await this.database.runDeferredMigrations({ signal: this.stopping.signal });
    this.isComplete = isComplete;
  }

  override onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    return super.onApplicationShutdown();
  }
}
