import type { Instant } from '#domain/time/instant.js';
import { parseFocus } from './focus.js';
import { nameKey } from './names.js';
import type { NameMatchKind } from './rank-name.js';
import type { EntityType } from './types.js';

/** An entity that a name may match. */
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

/** A match from which a caller can pick. */
export interface NameCandidate extends NamedEntity {
  /** Short description: "VP Sales at Acme". */
  readonly detail: string;
  readonly matched_on: NameMatchKind;
}

/** Narrow down the matches of a name. */
export interface NameHints {
  readonly type?: EntityType;
  /** Name or domain of a company. */
  readonly company?: string;
}

/** Result of matching a name. */
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
 * Finds the entities with a name. Only equal keys match; near misses are never picked. Hints narrow the matches,
 * possibly to none. Of several matches, the ten with the newest activity are returned (those without last), then by ID;
 * `count` is the total.
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
  const candidates = matches
    .toSorted(compareActivity)
    .slice(0, MAX_CANDIDATES)
    .map(entity => toNameCandidate(entity));
  return { status: 'ambiguous', query, count: matches.length, candidates };
}

/** Returns a test whether an entity belongs to a company, or is it; always true without one. */
export function createCompanyTest(company: string | undefined): (entity: NamedEntity) => boolean {
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

/** Returns an entity as a candidate from which a caller can pick. */
export function toNameCandidate(entity: NamedEntity, matchedOn: NameMatchKind = 'exact'): NameCandidate {
  return { ...entity, detail: describeEntity(entity), matched_on: matchedOn };
}

function describeEntity({ type, title, company, domain, email, linkedin_url }: NamedEntity): string {
  if (title && company) return `${title} at ${company}`;
  return title ?? company ?? domain ?? email ?? linkedin_url ?? type;
}
