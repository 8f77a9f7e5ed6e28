import type { Schemas } from '../api/schemas.ts';

type Facet = Schemas['Facet'];

/** How a fact of a source can be renewed, the cheapest way first. */
export const WAYS = ['sync', 'provider', 'import', 'contact', 'confirm', 'derived'] as const;
export type Way = (typeof WAYS)[number];

/** Ways by the first part of the name of a source, as the trust settings name them. */
const WAY_BY_FAMILY: ReadonlyMap<string, Way> = new Map(
  Object.entries({
    crm: 'sync',
    calendar: 'sync',
    calcom: 'sync',
    product: 'sync',
    enrichment: 'provider',
    linkedin: 'provider',
    web: 'provider',
    csv: 'import',
    email: 'contact',
    form: 'contact',
    system: 'derived',
  } satisfies Record<string, Way>),
);

/** Returns the cheapest way to renew what a source states. Sources that nobody can call are confirmed by hand. */
export function toWay(source: string): Way {
  return WAY_BY_FAMILY.get(source.split(':')[0]!) ?? 'confirm';
}

/** Which facts a list of work has: those that stop being fresh within a time, or those that no longer are. */
export const WINDOWS = ['7d', '30d', 'past'] as const;
export type Window = (typeof WINDOWS)[number];

/** Facts of one property from one source that are to be renewed. */
export interface RenewalRow {
  readonly source: string;
  readonly property: string;
  readonly people: number;
  readonly companies: number;
}

/** Facts that are renewed in one way. */
export interface RenewalGroup {
  readonly way: Way;
  readonly facts: number;
  /** The most facts first. */
  readonly rows: readonly RenewalRow[];
}

/** Returns the facts to renew by the way to renew them; ways without any are left out. */
export function groupByWay(
  people: readonly Facet[],
  companies: readonly Facet[],
  window: Window,
): readonly RenewalGroup[] {
  const rows = new Map<string, RenewalRow>();
  for (const [kind, facets] of [['people', people] as const, ['companies', companies] as const])
    for (const { property, sources } of facets)
      for (const { source, refresh_due, not_fresh } of sources) {
        const facts = window === 'past' ? not_fresh : refresh_due;
        if (facts === 0) continue;
        const key = JSON.stringify([source, property]);
        rows.set(key, { ...(rows.get(key) ?? { source, property, people: 0, companies: 0 }), [kind]: facts });
      }
  const count = ({ people: ofPeople, companies: ofCompanies }: RenewalRow) => ofPeople + ofCompanies;
  return WAYS.flatMap(way => {
    const own = [...rows.values()].filter(({ source }) => toWay(source) === way);
    if (own.length === 0) return [];
    const facts = own.reduce((sum, row) => sum + count(row), 0);
    return [{ way, facts, rows: own.toSorted((one, other) => count(other) - count(one)) }];
  });
}
