import type { LoggedEvent } from '#domain/context/activity.js';
import { typeOf } from '#domain/observation/direction.js';
import { oneLine, summaryOf } from '#domain/observation/summary.js';
import { DAY, type Instant, toIso } from '#domain/time/instant.js';
import type { Told } from './shown-claims.js';

/** A line of the timeline: something that happened, or how often things of a kind did long ago. */
export type ContextEvent =
  | (Told & {
      readonly entity_id: string;
      readonly when: string;
      readonly type: string;
      readonly source: string;
      readonly tier: 'full' | 'brief';
      readonly summary: string | null;
    })
  | { readonly when: ''; readonly type: string; readonly tier: 'count'; readonly count: number };

/** Younger things are told in full, older ones briefly, and still older ones are counted. */
const FULL = 7 * DAY;
const BRIEF = 30 * DAY;
const BRIEF_LENGTH = 100;

/** The timeline of what was chosen, the newest first, and below it the counts of older things that were not. */
export function timelineOf(
  events: readonly LoggedEvent[],
  told: ReadonlyMap<string, Told>,
  now: Instant,
): ContextEvent[] {
  const shown = events.flatMap(event => {
    const place = told.get(event.id);
    return place ? [{ event, place }] : [];
  });
  const older = events.filter(event => !told.has(event.id) && now - event.happens_at > BRIEF);
  const counts = Map.groupBy(older, event => typeOf(event.property));
  return [
    ...shown
      .toSorted((a, b) => b.event.happens_at - a.event.happens_at || (a.event.id < b.event.id ? 1 : -1))
      .map(({ event, place }) => showEvent(event, place, now)),
    ...[...counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, all]) => ({ when: '' as const, type, tier: 'count' as const, count: all.length })),
  ];
}

function showEvent(event: LoggedEvent, place: Told, now: Instant): ContextEvent {
  const summary = summaryOf(event.value);
  const isNew = now - event.happens_at < FULL;
  return {
    ...place,
    entity_id: event.entity_id,
    when: toIso(event.happens_at),
    type: typeOf(event.property),
    source: event.source,
    tier: isNew ? 'full' : 'brief',
    summary: summary === null || isNew ? summary : oneLine(summary, BRIEF_LENGTH),
  };
}
