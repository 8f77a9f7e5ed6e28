import type { Json } from '@rapport/plugin-sdk';
import { findAddress, parseAttendees } from './contact.js';
import type { BookingEvent, Booking } from './booking.js';
import { type Fields, toFields, findInstant, toList, findText } from './json-fields.js';
import { findSecureLink } from './secure-link.js';

/** What is subscribed at Cal.com, and what it means. */
export const EVENT_KIND_BY_TRIGGER = {
  BOOKING_CREATED: 'scheduled',
  BOOKING_RESCHEDULED: 'scheduled',
  BOOKING_CANCELLED: 'cancelled',
} as const satisfies Record<string, BookingEvent['kind']>;

/** Bookings that have yet to be confirmed, or never will be, are no meetings. */
const UNCONFIRMED_STATUSES = new Set(['pending', 'rejected']);

/**
 * Reads a webhook of Cal.com; undefined for what tells of no meeting: a ping, another trigger, the shape of somebody's
 * own template, a booking that waits for its confirmation.
 * @param receivedAt stands in for the time of sending, where there is none or it lies ahead of ours
 */
export function parseWebhookEvent(json: Json | undefined, receivedAt: Date): BookingEvent | undefined {
  const { triggerEvent, createdAt, payload } = toFields(json);
  const trigger = findText(triggerEvent);
  const fields = toFields(payload);
  if (trigger === undefined || !Object.hasOwn(EVENT_KIND_BY_TRIGGER, trigger)) return undefined;
  const kind = EVENT_KIND_BY_TRIGGER[trigger as keyof typeof EVENT_KIND_BY_TRIGGER];
  const booking = parseBooking(fields, kind);
  if (!booking || (kind === 'scheduled' && UNCONFIRMED_STATUSES.has(findText(fields['status'])?.toLowerCase() ?? '')))
    return undefined;
  const received = receivedAt.toISOString();
  const sent = findInstant(createdAt) ?? received;
  return { kind, at: sent < received ? sent : received, booking };
}

function parseBooking(fields: Fields, kind: BookingEvent['kind']): Booking | undefined {
  const uid = findText(fields['uid']);
  const start = findInstant(fields['startTime']);
  if (uid === undefined || start === undefined) return undefined;
  const { organizer, team, metadata, location } = fields;
  const end = findInstant(fields['endTime']);
  const title = findText(fields['title'], fields['eventTitle']);
  const eventType = findText(fields['type']);
  const host = findAddress(toFields(organizer)['email']);
  const meetingUrl = findSecureLink(toFields(metadata)['videoCallUrl'], location);
  const members = toList(toFields(team)['members']);
  return {
    uid,
    start,
    ...(end && { end }),
    ...(title && { title }),
    ...(eventType && { eventType }),
    ...(host && { host }),
    ...(meetingUrl && { meetingUrl }),
    ...(kind === 'scheduled' ? parseReschedule(fields, uid) : parseCancellation(fields)),
    attendees: parseAttendees(fields['attendees'], [organizer, ...members, ...toList(fields['hosts'])]),
  };
}

/** Seats that are moved together keep their uid: nothing took the place of anything. */
function parseReschedule({ rescheduleUid }: Fields, uid: string): Partial<Booking> {
  const from = findText(rescheduleUid);
  return from && from !== uid ? { rescheduledFrom: from } : {};
}

function parseCancellation({ cancellationReason, cancelledBy, requestReschedule }: Fields): Partial<Booking> {
  const reason = findText(cancellationReason);
  const by = findAddress(cancelledBy);
  return {
    ...(reason && { reason }),
    ...(by && { cancelledBy: by }),
    ...(requestReschedule === true && { rescheduleRequested: true }),
  };
}
