import type { LoggedEvent } from '#domain/context/key-activity.js';
import { stripEventPrefix } from '#domain/observation/direction.js';
import { toOneLine, summarizeValue } from '#domain/observation/summary.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import type { ContextItemMeta } from './context-claims.presenter.js';

/** A line of the timeline: something that happened, or how often things of a kind did long ago. */
export type ContextEvent =
  | (ContextItemMeta & {
      readonly entity_id: string;
      readonly when: string;
      readonly type: string;
      readonly source: string;
      readonly tier: 'full' | 'brief';
      readonly summary: string | null;
    })
  | { readonly when: ''; readonly type: string; readonly tier: 'count'; readonly count: number };

/** Younger things are told in full, older ones briefly, and still older ones are counted. */
const FULL_PERIOD = 7 * DAY_US;
const BRIEF_PERIOD = 30 * DAY_US;
const MAX_BRIEF_LENGTH = 100;

/** The timeline of what was chosen, the newest first, and below it the counts of older things that were not. */
export function presentTimeline(
  events: readonly LoggedEvent[],
  itemMeta: ReadonlyMap<string, ContextItemMeta>,
  now: Instant,
): ContextEvent[] {
  const shown = events.flatMap(event => {
    const place = itemMeta.get(event.id);
    return place ? [{ event, place }] : [];
  });
  const older = events.filter(event => !itemMeta.has(event.id) && now - event.happens_at > BRIEF_PERIOD);
  const counts = Map.groupBy(older, event => stripEventPrefix(event.property));
  return [
    ...shown
      .toSorted((a, b) => b.event.happens_at - a.event.happens_at || (a.event.id < b.event.id ? 1 : -1))
      .map(({ event, place }) => presentEvent(event, place, now)),
    ...[...counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, all]) => ({ when: '' as const, type, tier: 'count' as const, count: all.length })),
  ];
}

function presentEvent(event: LoggedEvent, place: ContextItemMeta, now: Instant): ContextEvent {
  const summary = summarizeValue(event.value);
  const isNew = now - event.happens_at < FULL_PERIOD;
  return {
    ...place,
    entity_id: event.entity_id,
    when: toIso(event.happens_at),
    type: stripEventPrefix(event.property),
    source: event.source,
    tier: isNew ? 'full' : 'brief',
    summary: summary === null || isNew ? summary : toOneLine(summary, MAX_BRIEF_LENGTH),
  };
}
