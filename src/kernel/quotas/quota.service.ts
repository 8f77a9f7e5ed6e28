import type { Plan } from '#domain/plans/tiers.js';
import { prepare } from '#kernel/db/prepared-query.js';
import type { Tx, UsageKind } from '#kernel/db/transaction.js';
import { type QuotaName, QUOTAS } from './quota-limits.js';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Counter, type Registry } from 'prom-client';
import { measureQuotas, type QuotaShare } from './quota.metrics.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { DurableCounters } from '../limits/usage-store.js';
import { runDetached } from '#kernel/request-context.js';
import { METRICS } from '#kernel/telemetry/metrics.module.js';

/** The plan of a workspace and what it has stored. */
export interface StoredUsage {
  readonly plan: Plan;
  readonly people: number;
  readonly notes: number;
  readonly observations_today: number;
  readonly stored_bytes: number;
}

/** Counts no further than the limit, so that the work is bounded. A null limit counts nothing. */
const READ_USAGE = prepare(
  `SELECT w.plan,
     (SELECT count(*)::int FROM (SELECT FROM entities WHERE workspace_id = $1 AND type = 'person' AND canonical_id IS NULL
        LIMIT $2) AS person) AS people,
     (SELECT count(*)::int FROM (SELECT FROM notes WHERE workspace_id = $1 LIMIT $3) AS note) AS notes,
     coalesce((SELECT amount FROM usage_counters WHERE workspace_id = $1 AND name = 'observations' AND period = $4), 0)
       AS observations_today,
     coalesce((SELECT amount FROM usage_counters WHERE workspace_id = $1 AND name = 'bytes' AND period = 0), 0) AS stored_bytes
   FROM workspaces w WHERE w.id = $1`,
);

/** Statements that count what is created seldom, in the transaction that creates it. */
const COUNT_CREATED = {
  api_keys: prepare(
    `SELECT w.plan, (SELECT count(*)::int FROM api_keys WHERE workspace_id = $1 AND revoked_at IS NULL
       AND (expires_at > now()) IS NOT FALSE) AS used FROM workspaces w WHERE w.id = $1`,
  ),
  connections: prepare(
    `SELECT w.plan, (SELECT count(*)::int FROM connections WHERE workspace_id = $1 AND state <> 'disconnected') AS used
     FROM workspaces w WHERE w.id = $1`,
  ),
};

/** Returns the plan of the workspace and the number of its API keys or connections. */
export async function countCreated(
  tx: Tx,
  quota: keyof typeof COUNT_CREATED,
): Promise<{ readonly plan: Plan; readonly used: number }> {
  const [row] = await tx.query<{ plan: Plan; used: number }>(COUNT_CREATED[quota], [tx.workspace]);
  return row!;
}

/** Reads what a workspace has used. @param limits how far people and notes are counted @param day days since 1970 */
export async function readStoredUsage(
  tx: Tx,
  limits: Readonly<Record<Extract<QuotaName, 'people' | 'notes'>, number>>,
  day: number,
): Promise<StoredUsage> {
  const [row] = await tx.query<StoredUsage>(READ_USAGE, [tx.workspace, limits.people, limits.notes, day]);
  return row!;
}

/** A quota and what is used of it. */
export interface QuotaUsage {
  /** Null: no limit. */
  readonly limit: number | null;
  /** What is used; people and notes are counted up to the limit. */
  readonly used: number;
}

const DAY_MS = 86_400_000;
const MAX_WORKSPACES = 10_000;
/** How long counted people and notes are used, in milliseconds: below half of a limit, below nine tenths, and above. */
const FAR_FROM_LIMIT_TTL_MS = 600_000;
const SNAPSHOT_TTL_MS = 30_000;
const NEAR_LIMIT_TTL_MS = 1_000;
const HALF_USED_SHARE = 0.5;
const NEAR_LIMIT_SHARE = 0.9;
/** How far people and notes are counted without a limit. */
const MAX_COUNTED = 10_000;
const BYTES_PER_MB = 1_000_000;
/** Days after which the counters of a day are deleted. */
const DAILY_COUNTER_DAYS = 2;
const FOREVER_MS = 100 * 365 * DAY_MS;

/** What a write adds, by the quota it counts for. */
const QUOTA_BY_KIND: Readonly<Record<UsageKind, QuotaName>> = {
  people: 'people',
  notes: 'notes',
  observations: 'observations_per_day',
  bytes: 'storage_mb',
};

interface Snapshot {
  readonly readAt: number;
  readonly usage: StoredUsage;
  /** What this process added since. */
  people: number;
  notes: number;
}

/**
 * Holds writes to the quotas of the plan. Reads are never refused. People and notes are counted in the database now and
 * then, and by this process in between; observations of a day and stored bytes are counted by all processes together. A
 * process that has not counted a workspace yet admits its first writes, and several processes together may exceed a
 * quota by what they write within a second.
 */
@Injectable()
export class QuotaService implements OnModuleInit {
  private readonly snapshots = new LRUCache<string, Snapshot>({ max: MAX_WORKSPACES });
  private readonly loading = new Map<string, Promise<Snapshot>>();
  private readonly refusals: Counter;

  constructor(
    @Inject(ENV) private readonly env: Pick<Env, 'quotas'>,
    private readonly work: UnitOfWork,
    private readonly counters: DurableCounters,
    @Inject(METRICS) registry: Registry,
  ) {
    this.refusals = new Counter({
      name: 'rapport_quota_refusals_total',
      help: 'Writes that were refused because a quota is used up.',
      labelNames: ['quota', 'plan'],
      registers: [registry],
    });
    measureQuotas(() => this.listShares(), registry);
  }

  onModuleInit(): void {
    this.work.setUsageGuard(this);
  }

  /** Yields the used share of each quota of each workspace that this process has counted. Quotas without a limit are left out. */
  *listShares(): Generator<QuotaShare> {
    for (const [workspace, snapshot] of this.snapshots.entries()) {
      const { plan } = snapshot.usage;
      for (const [kind, quota] of Object.entries(QUOTA_BY_KIND) as [UsageKind, QuotaName][]) {
        const limit = this.env.quotas[plan][quota] * (kind === 'bytes' ? BYTES_PER_MB : 1);
        if (limit > 0) yield { plan, quota, share: this.usedBy(workspace, kind, snapshot) / limit };
      }
    }
  }

  /** Refuses a write of a transaction that would exceed a quota. @throws HubError `quota_exceeded` */
  check(workspace: string, kind: UsageKind, amount: number): void {
    if (amount <= 0) return;
    const snapshot = this.findSnapshot(workspace);
    if (!snapshot) return;
    const quota = QUOTA_BY_KIND[kind];
    const { plan } = snapshot.usage;
    const limit = this.env.quotas[plan][quota];
    const used = this.usedBy(workspace, kind, snapshot);
    const max = kind === 'bytes' ? limit * BYTES_PER_MB : limit;
    if (limit > 0 && used + amount > max)
      throw this.refuse(plan, quota, limit, kind === 'bytes' ? used / BYTES_PER_MB : used);
  }

  /** Counts what a committed transaction added. */
  record(workspace: string, added: ReadonlyMap<UsageKind, number>): void {
    for (const [kind, amount] of added) {
      const snapshot = this.snapshots.get(workspace);
      if (kind === 'observations' || kind === 'bytes') this.counters.add(toCounterRef(workspace, kind), amount);
      else if (snapshot) snapshot[kind] += amount;
    }
  }

  /**
   * Refuses to create another API key or connection. Counts in the transaction that creates it.
   * @throws HubError `quota_exceeded`
   */
  async requireRoom(tx: Tx, quota: Extract<QuotaName, 'api_keys' | 'connections'>): Promise<void> {
    const { plan, used } = await countCreated(tx, quota);
    const limit = this.env.quotas[plan][quota];
    if (limit > 0 && used >= limit) throw this.refuse(plan, quota, limit, used);
  }

  /** Returns all quotas of a workspace with what is used of them. */
  async read(workspace: string): Promise<Record<QuotaName, QuotaUsage>> {
    const snapshot = this.findSnapshot(workspace) ?? (await this.load(workspace));
    const [keys, connections] = await this.work.run(workspace, tx =>
      Promise.all([countCreated(tx, 'api_keys'), countCreated(tx, 'connections')]),
    );
    const limits = this.env.quotas[keys.plan];
    const used: Record<QuotaName, number> = {
      people: this.usedBy(workspace, 'people', snapshot),
      notes: this.usedBy(workspace, 'notes', snapshot),
      api_keys: keys.used,
      connections: connections.used,
      observations_per_day: this.usedBy(workspace, 'observations', snapshot),
      storage_mb: Math.ceil(this.usedBy(workspace, 'bytes', snapshot) / BYTES_PER_MB),
    };
    const toUsage = (name: QuotaName) => [name, { limit: limits[name] || null, used: used[name] }] as const;
    return Object.fromEntries(QUOTAS.map(toUsage)) as Record<QuotaName, QuotaUsage>;
  }

  private usedBy(workspace: string, kind: UsageKind, { usage, people, notes }: Snapshot): number {
    if (kind === 'people') return usage.people + people;
    if (kind === 'notes') return usage.notes + notes;
    const stored = kind === 'bytes' ? usage.stored_bytes : usage.observations_today;
    return Math.max(stored, this.counters.read(toCounterRef(workspace, kind)));
  }

  /** Returns the current snapshot, and counts in the background if it is missing or old. */
  private findSnapshot(workspace: string): Snapshot | undefined {
    const snapshot = this.snapshots.get(workspace);
    const ageMs = snapshot ? performance.now() - snapshot.readAt : Infinity;
    if (!snapshot || ageMs > this.ttlOf(snapshot)) {
      runDetached(() => void this.load(workspace).catch(() => undefined));
    }
    return snapshot;
  }

  /** Counts are used the longer the further they are from the limit. */
  private ttlOf({ usage, people, notes }: Snapshot): number {
    const limits = this.env.quotas[usage.plan];
    const shareOf = (used: number, limit: number) => (limit > 0 ? used / limit : 0);
    const share = Math.max(shareOf(usage.people + people, limits.people), shareOf(usage.notes + notes, limits.notes));
    if (share > NEAR_LIMIT_SHARE) return NEAR_LIMIT_TTL_MS;
    return share > HALF_USED_SHARE ? SNAPSHOT_TTL_MS : FAR_FROM_LIMIT_TTL_MS;
  }

  private load(workspace: string): Promise<Snapshot> {
    const running = this.loading.get(workspace);
    if (running) return running;
    const loaded = this.count(workspace).finally(() => this.loading.delete(workspace));
    this.loading.set(workspace, loaded);
    return loaded;
  }

  private async count(workspace: string): Promise<Snapshot> {
    const readAt = performance.now();
    const plan = this.snapshots.get(workspace)?.usage.plan ?? 'scale';
    const { people, notes } = this.env.quotas[plan];
    const limits = { people: people || MAX_COUNTED, notes: notes || MAX_COUNTED };
    const usage = await this.work.run(workspace, tx => readStoredUsage(tx, limits, today()));
    const snapshot = { readAt, usage, people: 0, notes: 0 };
    this.snapshots.set(workspace, snapshot);
    return snapshot;
  }

  private refuse(plan: Plan, quota: QuotaName, limit: number, used: number): HubError {
    this.refusals.inc({ quota, plan });
    return HubError.quotaExceeded(quota, limit, Math.floor(used));
  }
}

function toCounterRef(workspaceId: string, name: 'observations' | 'bytes') {
  const isDaily = name === 'observations';
  return {
    workspaceId,
    name,
    period: isDaily ? today() : 0,
    ttlMs: isDaily ? DAILY_COUNTER_DAYS * DAY_MS : FOREVER_MS,
  };
}

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}
