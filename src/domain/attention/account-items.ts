import { DAY_US, type Instant } from '../time/instant.js';
import { type AttentionItem, type AttentionKind, compareUrgency } from './attention-item.js';

/** Kinds of which a company has one item, with its people inside: a quiet account is one matter, however many know it. */
const ACCOUNT_KINDS: ReadonlySet<AttentionKind> = new Set(['going_dark']);

/** Returns the company of an entity: the one that a person works for, or the entity itself. */
export type AccountOf = (entityId: string) => string | undefined;

/** Returns the account whose item an item is, or is part of; undefined if it stands alone. */
export function findAccount({ kind, entityId, people }: AttentionItem, accountOf: AccountOf): string | undefined {
  if (people) return entityId;
  return ACCOUNT_KINDS.has(kind) ? accountOf(entityId) : undefined;
}

/**
 * Joins the items of one kind about several people of a company to one about the company. It is as urgent as the most
 * urgent of them, and begins with the last time that anybody there spoke. An item about one person stays as it is.
 */
export function groupByAccount(items: readonly AttentionItem[], accountOf: AccountOf, now: Instant): AttentionItem[] {
  const groups = Map.groupBy(items, item => {
    const account = findAccount(item, accountOf);
    return account === undefined ? item : `${item.kind} ${account}`;
  });
  return [...groups.values()].map(own => (own.length === 1 ? own[0]! : joinItems(own, accountOf, now)));
}

function joinItems(own: readonly AttentionItem[], accountOf: AccountOf, now: Instant): AttentionItem {
  const people = own.toSorted(compareUrgency);
  const first = people[0]!;
  const since = Math.max(...people.map(item => item.since));
  const days = Math.floor((now - since) / DAY_US);
  const account = accountOf(first.entityId)!;
  const count = people.filter(({ entityId }) => entityId !== account).length;
  return {
    ...first,
    entityId: account,
    since,
    what: `has been quiet for ${days} ${days === 1 ? 'day' : 'days'}, with ${count} ${count === 1 ? 'person' : 'people'} there`,
    evidence: people.flatMap(({ evidence }) => evidence.slice(0, 1)).slice(0, MAX_EVIDENCE),
    people,
  };
}

/** Maximum number of observations named behind an item. */
const MAX_EVIDENCE = 10;
