import { createHash } from 'node:crypto';
import { findDoubt } from '#domain/claims/doubt.js';
import {
  type AttentionEntity,
  type Interaction,
  MAX_INTERACTIONS,
  type SubjectClaim,
} from '#domain/attention/attention-entity.js';
import type { EntityType } from '#domain/identity/focus.js';
import { type MeetingEvent, listPastMeetings, listUpcomingMeetings } from '#domain/meetings/upcoming-meetings.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { type AttentionKind, ATTENTION_KINDS, type AttentionRank } from '#domain/attention/attention-item.js';
import type { ItemState } from '#domain/attention/attention-mark.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { type SubjectColumns, MAX_MEETINGS } from './subjects.queries.js';

/** The entity of an item: what the response shows of it, and what items are derived from. */
export interface AttentionSubject {
  readonly type: EntityType;
  readonly name: string | null;
  readonly company: { readonly id: string; readonly name: string | null } | null;
  readonly subject: AttentionEntity;
}

const NONE: readonly never[] = [];

/** Builds the candidate entities, by ID, from the columns that were read. */
export function buildSubjects(read: SubjectColumns, now: Instant): ReadonlyMap<string, AttentionSubject> {
  const [ids, types, names, companyIds, companies, activities, inbound, notes, countries] = read.entities;
  const claims = groupByPlace(read.claims[0], i => toClaim(read.claims, i));
  const interactions = groupByPlace(read.interactions?.[0], i => toInteraction(read.interactions!, i));
  const meetings = groupByPlace(read.meetings?.[0], i => toMeeting(read.meetings!, i));
  const subjects = new Map<string, AttentionSubject>();
  for (let i = 0; i < (ids?.length ?? 0); i++) {
    const id = ids![i]!;
    const place = i + 1;
    const companyId = companyIds![i]!;
    const events = takeNewest(meetings.get(place) ?? NONE, ({ observedAt }) => observedAt, MAX_MEETINGS);
    const subject: AttentionEntity = {
      entityId: id,
      claims: claims.get(place) ?? NONE,
      lastActivity: activities![i]!,
      lastInbound: inbound![i]!,
      interactions: takeNewest(interactions.get(place) ?? NONE, ({ at }) => at, MAX_INTERACTIONS),
      meetings: events.length > 0 ? listUpcomingMeetings(events, now) : NONE,
      pastMeetings: events.length > 0 ? listPastMeetings(events, now) : NONE,
      lastNote: notes![i]!,
      companyCountry: countries![i]!,
    };
    const company = companyId === null ? null : { id: companyId, name: companies![i]! };
    subjects.set(id, { type: types![i]!, name: names![i]!, company, subject });
  }
  return subjects;
}

function toClaim(
  [, property, value, confidence, classes, at, before, tenures, jobs]: SubjectColumns['claims'],
  i: number,
): SubjectClaim {
  return {
    property: property![i]!,
    value: value![i]!,
    confidence: confidence![i]!,
    class: classes![i]!,
    supportedAt: at![i]!,
    before: before![i] ?? undefined,
    doubt: findDoubt(jobs![i]!, tenures![i]!),
  };
}

function toInteraction(
  [, ids, at, property, direction, automatic, back]: NonNullable<SubjectColumns['interactions']>,
  i: number,
): Interaction {
  return {
    id: ids![i]!,
    at: at![i]!,
    property: property![i]!,
    direction: direction![i]!,
    isAutomatic: automatic![i] === true,
    awayUntil: parseInstant(back![i] ?? ''),
  };
}

function toMeeting([, ids, property, value, at]: NonNullable<SubjectColumns['meetings']>, i: number): MeetingEvent {
  return { id: ids![i]!, property: property![i]!, value: value![i]!, observedAt: at![i]! };
}

function groupByPlace<Item>(
  places: readonly number[] | null | undefined,
  itemAt: (i: number) => Item,
): Map<number, Item[]> {
  const groups = new Map<number, Item[]>();
  for (let i = 0; i < (places?.length ?? 0); i++) {
    const group = groups.get(places![i]!);
    if (group) group.push(itemAt(i));
    else groups.set(places![i]!, [itemAt(i)]);
  }
  return groups;
}

/**
 * Returns the newest `max` items, newest first. The rows of several members of a cluster come one member after the
 * other. Most clusters have one member, so the order is checked before sorting.
 */
function takeNewest<Item>(items: readonly Item[], at: (item: Item) => Instant, max: number): readonly Item[] {
  const isSorted = items.length <= max && items.every((item, i) => i === 0 || at(items[i - 1]!) >= at(item));
  return isSorted ? items : items.toSorted((a, b) => at(b) - at(a)).slice(0, max);
}

/** Default and maximum number of items on a page. */
export const DEFAULT_ATTENTION_LIMIT = 25;
export const MAX_ATTENTION_LIMIT = 100;

/** A validated request for attention items. */
export interface AttentionRequest {
  readonly kinds: readonly AttentionKind[];
  readonly limit: number;
  readonly state: ItemState;
  /** Only entities whose claim `owner` has this value. */
  readonly owner: string | undefined;
  /** Reference time of the items; undefined means now. */
  readonly asOf: Instant | undefined;
  /** Rank of the last item of the previous page. */
  readonly after: AttentionRank | undefined;
  /** Hash of the filters; a cursor is valid only for the same filters. */
  readonly hash: string;
}

/** The query parameters as sent. */
export interface AttentionQuery {
  readonly kinds?: string | undefined;
  readonly state?: ItemState | undefined;
  readonly limit?: number | undefined;
  readonly cursor?: string | undefined;
  readonly owner?: string | undefined;
  readonly as_of?: string | undefined;
}

/**
 * Parses the query parameters. A cursor keeps the reference time of the first page, so items do not move between pages.
 * @throws HubError `invalid_request`, `cursor_mismatch`.
 */
export function toAttentionRequest({
  kinds,
  state = 'open',
  limit,
  cursor,
  owner,
  as_of,
}: AttentionQuery): AttentionRequest {
  const requestedKinds = parseKinds(kinds);
  const hash = createHash('sha256')
    .update(JSON.stringify([requestedKinds, state, owner ?? null, as_of ?? null]))
    .digest('base64url');
  const place = cursor === undefined ? undefined : decodeAttentionCursor(cursor, hash);
  return {
    kinds: requestedKinds,
    state,
    limit: Math.min(limit ?? DEFAULT_ATTENTION_LIMIT, MAX_ATTENTION_LIMIT),
    owner,
    asOf: place?.asOf ?? (as_of === undefined ? undefined : parseInstant(as_of)),
    after: place?.after,
    hash,
  };
}

/** Encodes the rank of the last item as an opaque cursor. */
export function encodeAttentionCursor(hash: string, asOf: Instant, { urgency, since, id }: AttentionRank): string {
  return Buffer.from(JSON.stringify([hash, asOf, urgency, since, id])).toString('base64url');
}

function parseKinds(text: string | undefined): readonly AttentionKind[] {
  if (text === undefined || text.trim() === '') return ATTENTION_KINDS;
  const names = text.split(',').map(name => name.trim());
  const unknown = names.find(name => !(ATTENTION_KINDS as readonly string[]).includes(name));
  if (unknown === undefined) return ATTENTION_KINDS.filter(kind => names.includes(kind));
  const message = `"${unknown.slice(0, 80)}" is not a kind of item. Use one or more of ${ATTENTION_KINDS.join(', ')}, separated by commas.`;
  throw HubError.invalidRequest([{ field: 'kinds', message }]);
}

function decodeAttentionCursor(
  cursor: string,
  hash: string,
): { readonly asOf: Instant; readonly after: AttentionRank } {
  const [cursorHash, asOf, urgency, since, id] = parseParts(cursor);
  const isValid = cursorHash === hash && typeof id === 'string' && [asOf, urgency, since].every(Number.isFinite);
  if (!isValid || Math.abs(asOf as number) > 7_289_654_400_000_000) throw new HubError('cursor_mismatch');
  return { asOf: asOf as number, after: { urgency: urgency as number, since: since as number, id: id as string } };
}

function parseParts(cursor: string): unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    return Array.isArray(parts) ? parts : [];
  } catch {
    return [];
  }
}
