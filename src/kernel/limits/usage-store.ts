import { Redis } from 'ioredis';
import { Injectable } from '@nestjs/common';
import { SharedCounters } from './shared-counters.js';
import { prepare } from '../db/prepared-query.js';
import { UnitOfWork } from '../db/unit-of-work.js';
import { ThrottledLogger, type WarnLogger } from '../telemetry/throttled-logger.js';
import { Sweeper } from '../scheduling/periodic-task.js';

/** Counters that must outlive Redis: observations of a day and stored bytes. Always in PostgreSQL. */
export class DurableCounters extends SharedCounters {}

/** What a workspace used in a period, in this process, since it was last added to the store. */
export interface UsageDelta {
  readonly workspaceId: string;
  /** What is counted, such as `requests`. */
  readonly name: string;
  /** Number of the period since 1970, such as that of the five seconds or of the day. */
  readonly period: number;
  readonly amount: number;
  /** When the counter may be forgotten, in milliseconds from now. */
  readonly ttlMs: number;
}

/** Counters that all processes share. Nothing that answers a request waits for them. */
export interface UsageStore {
  /** Adds the amounts and returns the totals of all processes, in the same order. */
  add(deltas: readonly UsageDelta[]): Promise<number[]>;
  /** Closes the connections of the store. */
  close(): void;
}

/** Rows are locked in the order of their key, so that two processes wait for each other instead of deadlocking. */
const ADD_USAGE = prepare(
  `INSERT INTO usage_counters AS counter (workspace_id, name, period, amount, expires_at)
   SELECT workspace_id, name, period, amount, now() + make_interval(secs => ttl)
   FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::float8[]) AS used (workspace_id, name, period, amount, ttl)
   ORDER BY workspace_id, name, period
   ON CONFLICT (workspace_id, name, period) DO UPDATE SET amount = counter.amount + excluded.amount
   RETURNING workspace_id, name, period, amount`,
);

interface CounterRow {
  readonly workspace_id: string;
  readonly name: string;
  readonly period: number;
  readonly amount: number;
}

/** Counts in the table `usage_counters`, all counters in one statement. */
export class PostgresUsageStore implements UsageStore {
  constructor(private readonly work: UnitOfWork) {}

  async add(deltas: readonly UsageDelta[]): Promise<number[]> {
    const rows = await this.work.system(async tx => {
      await tx.query("SELECT set_config('synchronous_commit', 'off', true)");
      return tx.query<CounterRow>(ADD_USAGE, [
        deltas.map(each => each.workspaceId),
        deltas.map(each => each.name),
        deltas.map(each => each.period),
        deltas.map(each => each.amount),
        deltas.map(each => each.ttlMs / 1_000),
      ]);
    });
    const totals = new Map(rows.map(row => [`${row.workspace_id} ${row.name} ${row.period}`, row.amount]));
    return deltas.map(
      ({ workspaceId, name, period, amount }) => totals.get(`${workspaceId} ${name} ${period}`) ?? amount,
    );
  }

  close(): void {}
}

const KEY_PREFIX = '{rapport}:usage';

/** Counts in Redis, all counters in one round trip. Fails at once while Redis is away. */
export class RedisUsageStore implements UsageStore {
  private readonly redis: Redis;

  constructor(url: string, log: WarnLogger) {
    const errorLogger = new ThrottledLogger(log, 'Redis of the limits');
    this.redis = new Redis(url, {
      connectTimeout: 3_000,
      commandTimeout: 2_000,
      maxRetriesPerRequest: 1,
      enableOfflineQueue: false,
      retryStrategy: attempt => Math.min(100 * 2 ** attempt, 2_000),
    });
    this.redis.on('error', error => errorLogger.warn(error));
  }

  async add(deltas: readonly UsageDelta[]): Promise<number[]> {
    const pipeline = this.redis.pipeline();
    for (const { workspaceId, name, period, amount, ttlMs } of deltas) {
      const key = `${KEY_PREFIX}:${workspaceId}:${name}:${period}`;
      pipeline.incrby(key, amount).pexpire(key, Math.ceil(ttlMs));
    }
    const results = (await pipeline.exec()) ?? [];
    return deltas.map((_, i) => {
      const [error, total] = results[2 * i] ?? [new Error('Redis did not answer')];
      if (error) throw error;
      return Number(total);
    });
  }

  close(): void {
    this.redis.disconnect();
  }
}

const DELETE_EXPIRED = `
  DELETE FROM usage_counters WHERE (workspace_id, name, period) IN (
    SELECT workspace_id, name, period FROM usage_counters WHERE expires_at < now() ORDER BY expires_at LIMIT $1)
  RETURNING period`;

/** Deletes counters of past periods. */
@Injectable()
export class UsageSweeper extends Sweeper {
  constructor(work: UnitOfWork) {
    super(work, { loggerName: 'limits', sql: DELETE_EXPIRED, batchSize: 1_000 });
  }
}
