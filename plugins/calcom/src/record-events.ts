import { isPermanentError, type ObservationInput } from '@rapport/plugin-sdk';
import type { BookingEvent, Attendee } from './booking.js';
import { toObservations } from './observation.js';
import type { Hub } from './plugin.js';

/** Of acts, what is recorded and how. */
export interface RecordOptions {
  /** Address of the one whose timeline is meant, as `addressOf` makes it. Default: everybody who was there. */
  readonly onlyEmail?: string;
  /** Whether an act is history, so that nobody is told of it. Default: all are news. */
  readonly isPast?: (act: BookingEvent) => boolean;
}

type AttendeeEvent = readonly [BookingEvent, Attendee];

/**
 * Puts acts on the timelines of those who were there, in the order in which they happened: what is about one contact goes
 * together. An address or a booking that the hub does not take costs the others nothing.
 * @returns how many activities are new
 */
export async function recordEvents(
  hub: Hub,
  acts: readonly BookingEvent[],
  { onlyEmail, isPast = () => false }: RecordOptions = {},
): Promise<number> {
  const parts = acts
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
    .flatMap(act => act.booking.attendees.map((attendee): AttendeeEvent => [act, attendee]));
  const byContact = Map.groupBy(parts, ([, { email }]) => email);
  let fresh = 0;
  for (const [email, own] of byContact) {
    if (onlyEmail === undefined || email === onlyEmail) fresh += await recordForContact(hub, email, own, isPast);
  }
  return fresh;
}

/** Together, and each by itself when that is refused. */
async function recordForContact(
  hub: Hub,
  email: string,
  parts: readonly AttendeeEvent[],
  isPast: (act: BookingEvent) => boolean,
): Promise<number> {
  const observations = parts.flatMap(([act, attendee]) =>
    toObservations(act, attendee, isPast(act) || wasRescheduled(act) ? 'backfill' : undefined),
  );
  try {
    return parts.length === 1 ? await recordOne(hub, email, observations) : await recordMany(hub, email, observations);
  } catch (error) {
    if (!isPermanentError(error)) throw error;
    if (parts.length === 1) {
      hub.log.warn('left an attendee out', { booking: parts[0]![0].booking.uid, reason: error.message });
      return 0;
    }
  }
  let fresh = 0;
  for (const part of parts) fresh += await recordForContact(hub, email, [part], isPast);
  return fresh;
}

/** Nobody has cancelled what was moved: the news of it is the new time, and webhooks tell of nothing else. */
function wasRescheduled({ booking }: BookingEvent): boolean {
  return booking.rescheduledTo !== undefined;
}

async function recordOne(hub: Hub, email: string, observations: readonly ObservationInput[]): Promise<number> {
  const { recorded } = await hub.graph.record(email, observations);
  return recorded > 0 ? 1 : 0;
}

/** The names come apart from the meetings, so that the answer counts meetings. */
async function recordMany(hub: Hub, email: string, observations: readonly ObservationInput[]): Promise<number> {
  const meetings = observations.filter(({ kind }) => kind === 'event');
  const names = observations.filter(({ kind }) => kind === 'state');
  const { recorded } = await hub.graph.record(email, meetings);
  if (names.length > 0) await hub.graph.record(email, names);
  return recorded;
}
