import type { AttentionEntity, SubjectClaim } from '#domain/attention/attention-entity.js';
import type { EntityType } from '#domain/identity/focus.js';
import { type MeetingEvent, listUpcomingMeetings } from '#domain/meetings/upcoming-meetings.js';
import type { Instant } from '#domain/time/instant.js';
import type { SubjectColumns } from './subject-columns.js';
import { MAX_INTERACTIONS, MAX_MEETINGS } from './subjects.queries.js';

/** The entity of an item: what the response shows of it, and what items are derived from. */
export interface AttentionSubject {
  readonly type: EntityType;
  readonly name: string | null;
  readonly company: { readonly id: string; readonly name: string | null } | null;
  readonly subject: AttentionEntity;
}

type Interaction = AttentionEntity['interactions'][number];

const NONE: readonly never[] = [];

/** Builds the candidate entities, by ID, from the columns that were read. */
export function buildSubjects(read: SubjectColumns, now: Instant): ReadonlyMap<string, AttentionSubject> {
  const [ids, types, names, companyIds, companies, activities] = read.entities;
  const claims = groupByPlace(read.claims[0], i => toClaim(read.claims, i));
  const interactions = groupByPlace(read.interactions?.[0], i => toInteraction(read.interactions!, i));
  const meetings = groupByPlace(read.meetings?.[0], i => toMeeting(read.meetings!, i));
  const subjects = new Map<string, AttentionSubject>();
  for (let i = 0; i < (ids?.length ?? 0); i++) {
    const id = ids![i]!;
    const place = i + 1;
    const companyId = companyIds![i]!;
    const entityMeetings = meetings.get(place);
    const subject: AttentionEntity = {
      entityId: id,
      claims: claims.get(place) ?? NONE,
      lastActivity: activities![i]!,
      interactions: takeNewest(interactions.get(place) ?? NONE, ({ at }) => at, MAX_INTERACTIONS),
      meetings: entityMeetings
        ? listUpcomingMeetings(
            takeNewest(entityMeetings, ({ observedAt }) => observedAt, MAX_MEETINGS),
            now,
          )
        : NONE,
    };
    const company = companyId === null ? null : { id: companyId, name: companies![i]! };
    subjects.set(id, { type: types![i]!, name: names![i]!, company, subject });
  }
  return subjects;
}

function toClaim(
  [, property, value, confidence, classes, at, before]: SubjectColumns['claims'],
  i: number,
): SubjectClaim {
  return {
    property: property![i]!,
    value: value![i]!,
    confidence: confidence![i]!,
    class: classes![i]!,
    supportedAt: at![i]!,
    before: before![i] ?? undefined,
  };
}

function toInteraction([, ids, at]: NonNullable<SubjectColumns['interactions']>, i: number): Interaction {
  return { id: ids![i]!, at: at![i]! };
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
