import type { JsonObject, ObservationInput } from '@rapport/plugin-sdk';
import { type Act, type Attendee, type Booking, externalIdOf } from './booking.js';

/** What people write without end is cut, or the hub would not take the meeting; in UTF-16 units. */
const LONGEST = { title: 1_000, reason: 4_000 };

/**
 * What an act is on the timeline of one who was there: the meeting, and the name that they gave. Everything follows from
 * the act, so whatever tells of it makes the same.
 * @param method how it came to be known; left out it is news
 */
export function toObservations(act: Act, attendee: Attendee, method?: 'backfill'): ObservationInput[] {
  const { kind, at } = act;
  const told = { ...act, booking: withinBounds(act.booking) };
  const meeting: ObservationInput = {
    kind: 'event',
    property: `interaction.meeting_${kind}`,
    external_id: externalIdOf(act),
    observed_at: at,
    value: valueOf(told, attendee),
    ...(method && { method }),
  };
  const { name } = attendee;
  if (name === undefined || kind === 'cancelled') return [meeting];
  const { value: _, ...same } = meeting;
  return [meeting, { ...same, kind: 'state', property: 'name', value: name }];
}

function withinBounds(booking: Booking): Booking {
  const { title, reason } = booking;
  return {
    ...booking,
    ...(title && { title: beginningOf(title, LONGEST.title) }),
    ...(reason && { reason: beginningOf(reason, LONGEST.reason) }),
  };
}

/** A sign that takes two units is not cut in half. */
function beginningOf(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

function valueOf(act: Act, { timeZone }: Attendee): JsonObject {
  const { kind, booking } = act;
  const { uid, start, end, title, eventType, host, meetingUrl, rescheduledFrom, rescheduledTo, reason } = booking;
  return {
    description: descriptionOf(act),
    booking_uid: uid,
    start,
    status: kind === 'scheduled' ? 'accepted' : 'cancelled',
    ...(end && { end }),
    ...(title && { title }),
    ...(eventType && { event_type: eventType }),
    ...(host && { host }),
    ...(meetingUrl && { meeting_url: meetingUrl }),
    ...(timeZone && { time_zone: timeZone }),
    ...(rescheduledFrom && { rescheduled_from: rescheduledFrom }),
    ...(rescheduledTo && { rescheduled_to: rescheduledTo }),
    ...(reason && { reason }),
    ...(booking.cancelledBy && { cancelled_by: booking.cancelledBy }),
    ...(booking.rescheduleRequested && { reschedule_requested: true }),
  };
}

function descriptionOf({ kind, booking }: Act): string {
  const meeting = `Meeting ${booking.title ? `“${booking.title}” ` : ''}`;
  const time = shown(booking.start);
  if (kind === 'scheduled') {
    return `${meeting}${booking.rescheduledFrom ? 'moved to' : 'scheduled for'} ${time}${withHost(booking)}.`;
  }
  return `${meeting}of ${time} ${endOf(booking)}${booking.reason ? `: ${booking.reason}` : ''}.`.replace(/\.\.$/, '.');
}

function endOf({ rescheduledTo, rescheduleRequested }: Booking): string {
  if (rescheduledTo) return 'gave way to another time';
  return rescheduleRequested ? 'cancelled, another time was asked for' : 'cancelled';
}

function withHost({ host }: Booking): string {
  return host ? ` with ${host}` : '';
}

/** `2026-12-01 15:00 UTC` */
function shown(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}
