import { Gauge, type Registry } from 'prom-client';
import type { Plan } from '#domain/plans/tiers.js';
import type { QuotaName } from './quota-limits.js';

/** How much of a quota a workspace has used. */
export interface QuotaShare {
  readonly plan: Plan;
  readonly quota: QuotaName;
  /** 1 means that the quota is used up. */
  readonly share: number;
}

const NEAR_LIMIT_SHARE = 0.8;

/**
 * Registers gauges of the usage of quotas, by quota and plan. They name no workspace, because there may be thousands;
 * `GET /v2/workspace/status` has the numbers of one.
 */
export function measureQuotas(listShares: () => Iterable<QuotaShare>, registry: Registry): void {
  new Gauge({
    name: 'rapport_quota_used_ratio',
    help: 'Largest share of a quota that a workspace has used, of those that this process has counted.',
    labelNames: ['quota', 'plan'],
    registers: [registry],
    collect() {
      this.reset();
      const largest = new Map<string, QuotaShare>();
      for (const each of listShares()) {
        const key = `${each.quota} ${each.plan}`;
        if (each.share > (largest.get(key)?.share ?? -1)) largest.set(key, each);
      }
      for (const { quota, plan, share } of largest.values()) this.set({ quota, plan }, share);
    },
  });
  new Gauge({
    name: 'rapport_quota_workspaces_near_limit',
    help: 'Workspaces that have used at least 80 % of a quota, of those that this process has counted.',
    labelNames: ['quota', 'plan'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { quota, plan, share } of listShares()) {
        this.inc({ quota, plan }, share >= NEAR_LIMIT_SHARE ? 1 : 0);
      }
    },
  });
}
