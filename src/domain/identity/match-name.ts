import type { Instant } from '#domain/time/instant.js';
import { parseFocus } from './focus.js';
import { nameKey } from './names.js';
import type { EntityType } from './types.js';

/** What is known of an entity that a name may mean. */
export interface NamedEntity {
  readonly entity_id: string;
  readonly type: EntityType;
  readonly name: string;
  readonly title: string | null;
  readonly company: string | null;
  readonly domain: string | null;
  readonly email: string | null;
  readonly linkedin_url: string | null;
  readonly last_activity_at: Instant | null;
  readonly score: number | null;
}

/** One of the answers among which a caller picks. */
export interface NameCandidate extends NamedEntity {
  /** Who this is, in words: "VP Sales at Acme". */
  readonly detail: string;
  readonly matched_on: 'exact';
}

/** What narrows a name down. */
export interface NameHints {
  readonly type?: EntityType;
  /** A company's name or domain. */
  readonly company?: string;
}

/** Whom a name means. */
export type NameMatch =
  | { readonly status: 'one'; readonly entity: NamedEntity }
  | {
      readonly status: 'ambiguous';
      readonly query: string;
      readonly count: number;
      readonly candidates: NameCandidate[];
    }
  | { readonly status: 'none' };

const MAX_CANDIDATES = 10;

/**
 * Decides whom a name means. Only names with an equal key count, whatever was handed in: a near miss is never
 * picked. Hints narrow, also down to nobody. Of many, the ten with the newest activity are shown (none last),
 * then by id; `count` is all of them.
 */
export function matchName(query: string, entities: readonly NamedEntity[], hints: NameHints = {}): NameMatch {
  const key = nameKey(query);
  const belongs = createCompanyTest(hints.company);
  const matches = entities.filter(
    entity => nameKey(entity.name) === key && (!hints.type || entity.type === hints.type) && belongs(entity),
  );
  const [first] = matches;
  if (!first) return { status: 'none' };
  if (matches.length === 1) return { status: 'one', entity: first };
  const candidates = matches.toSorted(compareActivity).slice(0, MAX_CANDIDATES).map(toNameCandidate);
  return { status: 'ambiguous', query, count: matches.length, candidates };
}

function createCompanyTest(company: string | undefined): (entity: NamedEntity) => boolean {
  if (company === undefined) return () => true;
  const focus = parseFocus(company);
  const domain = focus.form === 'domain' ? focus.key : undefined;
  const key = nameKey(company);
  return entity =>
    (domain !== undefined && entity.domain === domain) ||
    [entity.company, entity.type === 'company' ? entity.name : null].some(name => name && nameKey(name) === key);
}

function compareActivity(a: NamedEntity, b: NamedEntity): number {
  const newer = (b.last_activity_at ?? -Infinity) - (a.last_activity_at ?? -Infinity);
  return newer || (a.entity_id < b.entity_id ? -1 : 1);
}

/** An entity as one of the answers among which a caller picks. */
export function toNameCandidate(entity: NamedEntity): NameCandidate {
  return { ...entity, detail: describeEntity(entity), matched_on: 'exact' };
}

function describeEntity({ type, title, company, domain, email, linkedin_url }: NamedEntity): string {
  if (title && company) return `${title} at ${company}`;
  return title ?? company ?? domain ?? email ?? linkedin_url ?? type;
}
