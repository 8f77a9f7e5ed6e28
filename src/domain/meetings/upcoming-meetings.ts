import { isPlainObject, type JsonValue } from '../observation/observation.js';
import { type Instant, parseInstant } from '../time/instant.js';

/** Events that schedule and cancel meetings. */
export const MEETING_EVENTS = ['interaction.meeting_scheduled', 'interaction.meeting_cancelled'] as const;

/** A logged event about a meeting. */
export interface MeetingEvent {
  readonly id: string;
  readonly property: string;
  readonly value: JsonValue;
  readonly observedAt: Instant;
}

/** An upcoming meeting. */
export interface Meeting {
  /** ID of the observation. */
  readonly id: string;
  readonly start: Instant;
  /** Time at which it was scheduled. */
  readonly plannedAt: Instant;
  readonly title: string | null;
}

const ID_FIELDS = ['uid', 'booking_uid', 'booking_id', 'meeting_id', 'event_id'];
const REPLACED_ID_FIELDS = ['rescheduled_from', 'reschedule_uid'];
const TITLE_FIELDS = ['title', 'subject', 'name'];

/**
 * Returns the upcoming meetings of one entity, the next one first. A meeting is identified by its `uid` (or
 * `booking_uid`, `booking_id`, `meeting_id`, `event_id`), else by its start. Scheduling it again changes its time. A
 * cancellation removes the meeting it names, or all scheduled before if it names none. A meeting replaces the one given
 * in `rescheduled_from`.
 */
export function listUpcomingMeetings(events: readonly MeetingEvent[], now: Instant): Meeting[] {
  return listMeetings(events).filter(({ start }) => start > now);
}

/** Returns the meetings of one entity that were not cancelled and have started, the latest first. */
export function listPastMeetings(events: readonly MeetingEvent[], now: Instant): Meeting[] {
  return listMeetings(events)
    .filter(({ start }) => start <= now)
    .reverse();
}

function listMeetings(events: readonly MeetingEvent[]): Meeting[] {
  const planned = new Map<string, Meeting>();
  for (const event of events.toSorted((a, b) => a.observedAt - b.observedAt || (a.id < b.id ? -1 : 1))) {
    const start = parseStart(event);
    const name = formatMeetingKey(event, start);
    if (event.property === MEETING_EVENTS[0]) {
      planned.delete(`id ${readFirstField(event.value, REPLACED_ID_FIELDS)}`);
      if (name !== undefined && start !== undefined) planned.set(name, toMeeting(event, start));
    } else if (name === undefined) planned.clear();
    else cancelMeeting(planned, name, start);
  }
  return [...planned.values()].sort((a, b) => a.start - b.start);
}

function toMeeting(event: MeetingEvent, start: Instant): Meeting {
  return { id: event.id, start, plannedAt: event.observedAt, title: readTitle(event) };
}

function cancelMeeting(planned: Map<string, Meeting>, name: string, start: Instant | undefined): void {
  if (planned.delete(name) || start === undefined) return;
  for (const [other, meeting] of planned) if (meeting.start === start) planned.delete(other);
}

function parseStart({ value, property, observedAt }: MeetingEvent): Instant | undefined {
  const start = isPlainObject(value) ? (value['start'] ?? value['start_time'] ?? value['starts_at']) : undefined;
  if (typeof start === 'string') return parseInstant(start);
  return property === MEETING_EVENTS[0] ? observedAt : undefined;
}

function formatMeetingKey({ value }: MeetingEvent, start: Instant | undefined): string | undefined {
  const id = readFirstField(value, ID_FIELDS);
  if (id !== undefined) return `id ${id}`;
  return start === undefined ? undefined : `start ${start}`;
}

function readTitle({ value }: MeetingEvent): string | null {
  return readFirstField(value, TITLE_FIELDS) ?? null;
}

/** Returns the first of these fields that is set, as text. */
function readFirstField(value: JsonValue, fields: readonly string[]): string | undefined {
  const given = isPlainObject(value) ? fields.map(field => value[field]).find(held => held != null) : undefined;
  return typeof given === 'string' || typeof given === 'number' ? String(given) : undefined;
}
