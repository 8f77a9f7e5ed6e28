import { resolveDirection, stripEventPrefix } from '#domain/observation/direction.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { quoteText, summarizeValue } from '#domain/observation/summary.js';
import { canonicalEvent } from '#domain/properties/registry.js';
import { DAY_US, type Instant, toIso } from '#domain/time/instant.js';

/** Something that happened. */
export interface LoggedEvent {
  readonly id: string;
  readonly entity_id: string;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly observed_at: Instant;
  /** When the thing itself takes place: the start of a meeting, for everything else `observed_at`. */
  readonly happens_at: Instant;
}

/** Something that matters for what comes next. */
export interface KeyActivity {
  /** In words: `email replied`. */
  readonly what: string;
  /** The system that told, in words. */
  readonly source: string;
  /** ISO 8601. */
  readonly when: string;
  /** What it said; null for nothing. */
  readonly detail: string | null;
}

/** Half of what happened is old news after so many days. */
export const EVENT_HALF_LIFE_DAYS = 45;

/** What kinds of events tell, 0..1; others {@link DEFAULT_EVENT_WEIGHT}. */
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

/** The events that matter most, `count` at most: what they tell, halved every {@link EVENT_HALF_LIFE_DAYS} days. */
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

/** How new something is, 0..1; what is still to come is new. */
export function computeEventFreshness(at: Instant, now: Instant): number {
  return 2 ** (-Math.max(0, now - at) / (EVENT_HALF_LIFE_DAYS * DAY_US));
}

/** What happened, in one line: who turned to whom, and what was said, quoted. */
export function describeEvent({ property, value }: Pick<LoggedEvent, 'property' | 'value'>): string {
  const type = stripEventPrefix(property).replaceAll('_', ' ');
  const summary = summarizeValue(value);
  return `${type}${resolveDirection(property, value) === 'inbound' ? ' by them' : ''}${summary === null ? '' : `: ${quoteText(summary)}`}`;
}

/** A source as people call it: `crm:hubspot` is `Hubspot`, `csv` is `Csv`. */
export function formatSourceName(source: string): string {
  const name = source.slice(source.indexOf(':') + 1).replaceAll(/[_-]+/g, ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function computeEventWeight({ property, value }: LoggedEvent): number {
  return eventWeights[stripEventPrefix(canonicalEvent(property, value))] ?? DEFAULT_EVENT_WEIGHT;
}
