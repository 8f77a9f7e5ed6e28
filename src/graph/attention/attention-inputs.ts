import type { AttentionEntity, SubjectClaim } from '#domain/attention/attention-entity.js';
import type { EntityType } from '#domain/identity/focus.js';
import { type MeetingEvent, listUpcomingMeetings } from '#domain/meetings/upcoming-meetings.js';
import type { Instant } from '#domain/time/instant.js';
import type { SubjectColumns } from './subject-columns.js';
import { MAX_INTERACTIONS, MAX_MEETINGS } from './subjects.queries.js';

/** Whom an item is about: as shown, and as judged. */
export interface AttentionSubject {
  readonly type: EntityType;
  readonly name: string | null;
  readonly company: { readonly id: string; readonly name: string | null } | null;
  readonly subject: AttentionEntity;
}

type Interaction = AttentionEntity['interactions'][number];

const NONE: readonly never[] = [];

/** Everybody who may want attention by their ids, put together from the columns of what was read. */
export function buildSubjects(read: SubjectColumns, now: Instant): ReadonlyMap<string, AttentionSubject> {
  const [ids, types, names, companyIds, companies, activities] = read.entities;
  const claims = groupByPlace(read.claims[0], i => toClaim(read.claims, i));
  const interactions = groupByPlace(read.interactions?.[0], i => toInteraction(read.interactions!, i));
  const meetings = groupByPlace(read.meetings?.[0], i => toMeeting(read.meetings!, i));
  const looked = new Map<string, AttentionSubject>();
  for (let i = 0; i < (ids?.length ?? 0); i++) {
    const id = ids![i]!;
    const place = i + 1;
    const companyId = companyIds![i]!;
    const met = meetings.get(place);
    const subject: AttentionEntity = {
      entityId: id,
      claims: claims.get(place) ?? NONE,
      lastActivity: activities![i]!,
      interactions: takeNewest(interactions.get(place) ?? NONE, ({ at }) => at, MAX_INTERACTIONS),
      meetings: met
        ? listUpcomingMeetings(
            takeNewest(met, ({ observedAt }) => observedAt, MAX_MEETINGS),
            now,
          )
        : NONE,
    };
    const company = companyId === null ? null : { id: companyId, name: companies![i]! };
    looked.set(id, { type: types![i]!, name: names![i]!, company, subject });
  }
  return looked;
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

function groupByPlace<Thing>(
  places: readonly number[] | null | undefined,
  thingAt: (i: number) => Thing,
): Map<number, Thing[]> {
  const things = new Map<number, Thing[]>();
  for (let i = 0; i < (places?.length ?? 0); i++) {
    const own = things.get(places![i]!);
    if (own) own.push(thingAt(i));
    else things.set(places![i]!, [thingAt(i)]);
  }
  return things;
}

/** What was read under several ids of one entity comes one id after the other; mostly there is one, and it is in order. */
function takeNewest<Thing>(things: readonly Thing[], at: (thing: Thing) => Instant, most: number): readonly Thing[] {
  const inOrder = things.length <= most && things.every((thing, i) => i === 0 || at(things[i - 1]!) >= at(thing));
  return inOrder ? things : things.toSorted((a, b) => at(b) - at(a)).slice(0, most);
}
