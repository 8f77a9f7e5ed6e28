import { prepare } from '#kernel/db/prepared-query.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { UsageDelta, UsageStore } from './usage-store.js';

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
