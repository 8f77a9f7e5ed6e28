import type { LoggedEvent } from '#domain/context/key-activity.js';
import { stripEventPrefix } from '#domain/observation/direction.js';
import { toOneLine, summarizeValue } from '#domain/observation/summary.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';
import type { ContextItemMeta } from './context-claims.presenter.js';

/** An entry of the timeline: an event, or the number of older events of a type. */
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

/** Younger events are shown in full, older ones in brief, and still older ones are counted. In microseconds. */
const FULL_PERIOD = 7 * DAY_US;
const BRIEF_PERIOD = 30 * DAY_US;
const MAX_BRIEF_LENGTH = 100;

/** Returns the selected events, newest first, followed by counts per type of the older events that were not selected. */
export function presentTimeline(
  events: readonly LoggedEvent[],
  itemMeta: ReadonlyMap<string, ContextItemMeta>,
  now: Instant,
): ContextEvent[] {
  const selected = events.flatMap(event => {
    const meta = itemMeta.get(event.id);
    return meta ? [{ event, meta }] : [];
  });
  const older = events.filter(event => !itemMeta.has(event.id) && now - event.happens_at > BRIEF_PERIOD);
  const counts = Map.groupBy(older, event => stripEventPrefix(event.property));
  return [
    ...selected
      .toSorted((a, b) => b.event.happens_at - a.event.happens_at || (a.event.id < b.event.id ? 1 : -1))
      .map(({ event, meta }) => presentEvent(event, meta, now)),
    ...[...counts]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([type, all]) => ({ when: '' as const, type, tier: 'count' as const, count: all.length })),
  ];
}

function presentEvent(event: LoggedEvent, meta: ContextItemMeta, now: Instant): ContextEvent {
  const summary = summarizeValue(event.value);
  const isNew = now - event.happens_at < FULL_PERIOD;
  return {
    ...meta,
    entity_id: event.entity_id,
    when: toIso(event.happens_at),
    type: stripEventPrefix(event.property),
    source: event.source,
    tier: isNew ? 'full' : 'brief',
    summary: summary === null || isNew ? summary : toOneLine(summary, MAX_BRIEF_LENGTH),
  };
}
