import type { JsonObject, ObservationInput } from '@rapport/plugin-sdk';
import { type BookingEvent, type Attendee, type Booking, formatExternalId } from './booking.js';

/** What people write without end is cut, or the hub would not take the meeting; in UTF-16 units. */
const MAX_LENGTHS = { title: 1_000, reason: 4_000 };

/**
 * What an act is on the timeline of one who was there: the meeting, and the name that they gave. Everything follows from
 * the act, so whatever tells of it makes the same.
 * @param method how it came to be known; left out it is news
 */
export function toObservations(act: BookingEvent, attendee: Attendee, method?: 'backfill'): ObservationInput[] {
  const { kind, at } = act;
  const truncatedEvent = { ...act, booking: truncateTexts(act.booking) };
  const meeting: ObservationInput = {
    kind: 'event',
    property: `interaction.meeting_${kind}`,
    external_id: formatExternalId(act),
    observed_at: at,
    value: toEventValue(truncatedEvent, attendee),
    ...(method && { method }),
  };
  const { name } = attendee;
  if (name === undefined || kind === 'cancelled') return [meeting];
  const { value: _, ...same } = meeting;
  return [meeting, { ...same, kind: 'state', property: 'name', value: name }];
}

function truncateTexts(booking: Booking): Booking {
  const { title, reason } = booking;
  return {
    ...booking,
    ...(title && { title: truncate(title, MAX_LENGTHS.title) }),
    ...(reason && { reason: truncate(reason, MAX_LENGTHS.reason) }),
  };
}

/** A sign that takes two units is not cut in half. */
function truncate(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '');
}

function toEventValue(act: BookingEvent, { timeZone }: Attendee): JsonObject {
  const { kind, booking } = act;
  const { uid, start, end, title, eventType, host, meetingUrl, rescheduledFrom, rescheduledTo, reason } = booking;
  return {
    description: describeMeeting(act),
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

function describeMeeting({ kind, booking }: BookingEvent): string {
  const meeting = `Meeting ${booking.title ? `“${booking.title}” ` : ''}`;
  const time = formatTime(booking.start);
  if (kind === 'scheduled') {
    return `${meeting}${booking.rescheduledFrom ? 'moved to' : 'scheduled for'} ${time}${formatHostSuffix(booking)}.`;
  }
  return `${meeting}of ${time} ${describeEnd(booking)}${booking.reason ? `: ${booking.reason}` : ''}.`.replace(
    /\.\.$/,
    '.',
  );
}

function describeEnd({ rescheduledTo, rescheduleRequested }: Booking): string {
  if (rescheduledTo) return 'gave way to another time';
  return rescheduleRequested ? 'cancelled, another time was asked for' : 'cancelled';
}

function formatHostSuffix({ host }: Booking): string {
  return host ? ` with ${host}` : '';
}

/** `2026-12-01 15:00 UTC` */
function formatTime(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}
