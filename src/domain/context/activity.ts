import { directionOf, typeOf } from '#domain/observation/direction.js';
import type { Json } from '#domain/observation/observation.js';
import { quoted, summaryOf } from '#domain/observation/summary.js';
import { canonicalEvent } from '#domain/properties/registry.js';
import { DAY, type Instant, toIso } from '#domain/time/instant.js';

/** Something that happened. */
export interface LoggedEvent {
  readonly id: string;
  readonly entity_id: string;
  readonly property: string;
  readonly value: Json;
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
export const EVENT_HALF_LIFE = 45;

/** What kinds of events tell, 0..1; others {@link USUAL}. */
const weights: Readonly<Record<string, number>> = {
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
const USUAL = 0.5;

/** The events that matter most, `count` at most: what they tell, halved every {@link EVENT_HALF_LIFE} days. */
export function keyActivityOf(events: readonly LoggedEvent[], count: number, now: Instant): KeyActivity[] {
  return events
    .map(event => ({ event, worth: worthOf(event) * eventFreshness(event.happens_at, now) }))
    .sort((one, other) => other.worth - one.worth || (one.event.id < other.event.id ? 1 : -1))
    .slice(0, count)
    .map(({ event }) => ({
      what: typeOf(event.property).replaceAll('_', ' '),
      source: systemOf(event.source),
      when: toIso(event.happens_at),
      detail: summaryOf(event.value),
    }));
}

/** How new something is, 0..1; what is still to come is new. */
export function eventFreshness(at: Instant, now: Instant): number {
  return 2 ** (-Math.max(0, now - at) / (EVENT_HALF_LIFE * DAY));
}

/** What happened, in one line: who turned to whom, and what was said, quoted. */
export function eventInWords({ property, value }: Pick<LoggedEvent, 'property' | 'value'>): string {
  const type = typeOf(property).replaceAll('_', ' ');
  const summary = summaryOf(value);
  return `${type}${directionOf(property, value) === 'inbound' ? ' by them' : ''}${summary === null ? '' : `: ${quoted(summary)}`}`;
}

/** A source as people call it: `crm:hubspot` is `Hubspot`, `csv` is `Csv`. */
export function systemOf(source: string): string {
  const name = source.slice(source.indexOf(':') + 1).replaceAll(/[_-]+/g, ' ');
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function worthOf({ property, value }: LoggedEvent): number {
  return weights[typeOf(canonicalEvent(property, value))] ?? USUAL;
}
