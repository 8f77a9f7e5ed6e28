import { resolveDirection, stripEventPrefix } from '../observation/interaction-events.js';
import type { JsonValue } from '../observation/observation.js';
import { quoteText, summarizeValue } from '../observation/summary.js';
import { canonicalEvent } from '../properties/registry.js';
import { DAY_US, type Instant, toIso } from '../time/instant.js';

/** A logged event. */
export interface LoggedEvent {
  readonly id: string;
  readonly entity_id: string;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly observed_at: Instant;
  /** Time of the event itself: the start of a meeting, else `observed_at`. */
  readonly happens_at: Instant;
}

/** An event that matters for the next step. */
export interface KeyActivity {
  /** Type as words: `email replied`. */
  readonly what: string;
  /** Display name of the source. */
  readonly source: string;
  /** ISO 8601. */
  readonly when: string;
  /** Summary of its content; null without one. */
  readonly detail: string | null;
}

/** Half-life of events in days. */
export const EVENT_HALF_LIFE_DAYS = 45;

/** Relevance of each event type, 0..1; others have {@link DEFAULT_EVENT_WEIGHT}. */
const eventWeights: Readonly<Record<string, number>> = {
  deal_won: 1,
  deal_lost: 1,
  meeting_held: 1,
  meeting_scheduled: 0.9,
  call_held: 0.9,
  proposal_sent: 0.9,
  unsubscribed: 0.9,
  email_replied: 0.8,
  linkedin_replied: 0.8,
  form_submitted: 0.8,
  meeting_cancelled: 0.7,
  connection_accepted: 0.6,
  email_sent: 0.4,
  email_clicked: 0.4,
  email_opened: 0.1,
};
const DEFAULT_EVENT_WEIGHT = 0.5;

/** Returns up to `count` events with the greatest weight, halved every {@link EVENT_HALF_LIFE_DAYS} days. */
export function selectKeyActivity(events: readonly LoggedEvent[], count: number, now: Instant): KeyActivity[] {
  return events
    .map(event => ({ event, worth: computeEventWeight(event) * computeEventFreshness(event.happens_at, now) }))
    .sort((one, other) => other.worth - one.worth || (one.event.id < other.event.id ? 1 : -1))
    .slice(0, count)
    .map(({ event }) => ({
      what: stripEventPrefix(event.property).replaceAll('_', ' '),
      source: formatSourceName(event.source),
      when: toIso(event.happens_at),
      detail: summarizeValue(event.value),
    }));
}

/** Returns the freshness of an event, 0..1; future events have 1. */
export function computeEventFreshness(at: Instant, now: Instant): number {
  return 2 ** (-Math.max(0, now - at) / (EVENT_HALF_LIFE_DAYS * DAY_US));
}

/** Describes an event on one line: type, direction, and its text quoted. */
export function describeEvent({ property, value }: Pick<LoggedEvent, 'property' | 'value'>): string {
  const type = stripEventPrefix(property).replaceAll('_', ' ');
  const summary = summarizeValue(value);
  return `${type}${resolveDirection(property, value) === 'inbound' ? ' by them' : ''}${summary === null ? '' : `: ${quoteText(summary)}`}`;
}

/** Returns the display name of a source: `crm:hubspot` is `Hubspot`, `csv` is `Csv`. */
export function formatSourceName(source: string): string {
  const name = source.slice(source.indexOf(':') + 1).replaceAll(/[_-]+/g, ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function computeEventWeight({ property, value }: LoggedEvent): number {
  return eventWeights[stripEventPrefix(canonicalEvent(property, value))] ?? DEFAULT_EVENT_WEIGHT;
}
