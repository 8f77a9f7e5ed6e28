import { PLANS, type Plan } from '#domain/plans/tiers.js';

/** What a workspace has a quota of. */
export const QUOTAS = ['people', 'observations_per_day', 'notes', 'storage_mb', 'api_keys', 'connections'] as const;

/** One of {@link QUOTAS}. */
export type QuotaName = (typeof QUOTAS)[number];

/** The quotas of a plan; 0 means no limit. */
export type PlanQuotas = Readonly<Record<QuotaName, number>>;

/** The quotas of every plan. */
export type QuotaLimits = Readonly<Record<Plan, PlanQuotas>>;

/** The quotas that hold where `QUOTAS` says nothing else. */
export const DEFAULT_QUOTAS: QuotaLimits = {
  starter: {
    people: 10_000,
    observations_per_day: 100_000,
    notes: 10_000,
    storage_mb: 2_000,
    api_keys: 20,
    connections: 5,
  },
  growth: {
    people: 250_000,
    observations_per_day: 2_000_000,
    notes: 250_000,
    storage_mb: 50_000,
    api_keys: 100,
    connections: 25,
  },
  scale: {
    people: 10_000_000,
    observations_per_day: 100_000_000,
    notes: 5_000_000,
    storage_mb: 1_000_000,
    api_keys: 200,
    connections: 200,
  },
};

const ENTRY = /^([a-z]+)\.([a-z_]+)\s*=\s*(\d{1,12})$/;

/** Parses `starter.people=500, growth.notes=0` over the defaults. @returns the quotas, or a sentence about the problem */
export function parseQuotas(text: string): QuotaLimits | string {
  const limits: Record<Plan, Record<QuotaName, number>> = structuredClone(DEFAULT_QUOTAS);
  for (const part of text.split(',').map(each => each.trim())) {
    if (part === '') continue;
    const [, planText, nameText, count] = ENTRY.exec(part) ?? [];
    const plan = PLANS.find(each => each === planText);
    const name = QUOTAS.find(each => each === nameText);
    if (!plan || !name) {
      return `"${part}" is not <plan>.<quota>=<number>, with a plan of ${PLANS.join(', ')} and a quota of ${QUOTAS.join(', ')}`;
    }
    limits[plan][name] = Number(count);
  }
  return limits;
}
