import type { StoreChange } from '@rapport/plugin-sdk';
import type { EntityObject } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import type { Verdict } from './decide.js';

/** A value that waits for a decision. */
export interface Review {
  readonly object: EntityObject;
  /** ID of the record. */
  readonly id: string;
  readonly entity_id: string;
  /** Name of the person or company. */
  readonly name: string | null;
  readonly property: string;
  readonly field: string;
  /** What the graph has, as the CRM would keep it. */
  readonly ours: string;
  /** What the CRM has. */
  readonly theirs: string | null;
  /** When it was found, ISO 8601. */
  readonly at: string;
}

/** What somebody has decided; it holds for these two values only. */
interface StoredVerdict {
  readonly ours: string;
  readonly theirs: string | null;
  readonly verdict: Verdict;
}

/** Identifies a field of a record. */
export type FieldAddress = Pick<Review, 'object' | 'id' | 'field'>;

const REVIEWS = 'review:';
const MAX_COUNTED = 1_000;
const reviewKey = ({ object, id, field }: FieldAddress) => `${REVIEWS}${object}:${id}:${field}`;
const verdictKey = ({ object, id, field }: FieldAddress) => `verdict:${object}:${id}:${field}`;

/** Returns the changes of the store that keep values to decide. */
export function toReviewChanges(reviews: readonly Review[]): StoreChange[] {
  return reviews.map(review => ({ key: reviewKey(review), value: { ...review } }));
}

/** Lists values to decide. @param after key of the page before; null for the first one */
export async function listReviews(
  hub: Hub,
  after: string | null,
  limit: number,
): Promise<{ readonly reviews: readonly Review[]; readonly next: string | null }> {
  const options = { limit: limit + 1, ...(after !== null && { after: REVIEWS + after }) };
  const entries = await hub.store.list<never>(REVIEWS, options);
  const page = entries.slice(0, limit);
  const next = entries.length > limit ? page.at(-1)!.key.slice(REVIEWS.length) : null;
  return { reviews: page.map(({ value }) => value as Review), next };
}

/** Counts values to decide, up to 1000. */
export async function countReviews(hub: Hub): Promise<number> {
  return (await hub.store.list(REVIEWS, { limit: MAX_COUNTED })).length;
}

/** Keeps a decision. @returns the value that it is about; undefined if none waits */
export async function settleReview(hub: Hub, address: FieldAddress, verdict: Verdict): Promise<Review | undefined> {
  const review = (await hub.store.get<never>(reviewKey(address))) as Review | undefined;
  if (review === undefined) return undefined;
  const stored = { ours: review.ours, theirs: review.theirs, verdict };
  await hub.store.write([{ key: reviewKey(address) }, { key: verdictKey(address), value: stored }]);
  return review;
}

/** Reads what was decided about fields of records. */
export async function readVerdicts(
  hub: Hub,
  addresses: readonly FieldAddress[],
): Promise<(address: FieldAddress, ours: string | null, theirs: string | null) => Verdict | null> {
  const found = await hub.store.getMany<never>(addresses.map(verdictKey));
  return (address, ours, theirs) => {
    const stored = found.get(verdictKey(address)) as StoredVerdict | undefined;
    return stored && stored.ours === ours && stored.theirs === theirs ? stored.verdict : null;
  };
}

/** Lists the keys of everything that waits or was decided about a record. */
export async function listReviewKeys(hub: Hub, object: EntityObject, id: string): Promise<string[]> {
  const keys: string[] = [];
  for (const prefix of [`${REVIEWS}${object}:${id}:`, `verdict:${object}:${id}:`])
    keys.push(...(await hub.store.list(prefix, { limit: 1_000 })).map(({ key }) => key));
  return keys;
}
