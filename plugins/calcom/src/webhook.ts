import type { Json } from '@rapport/plugin-sdk';
import { addressOf } from './address.js';
import { attendeesOf } from './attendees.js';
import type { Act, Booking } from './booking.js';
import { type Fields, fieldsOf, instantOf, listOf, textOf } from './reading.js';
import { secureLinkOf } from './secure-link.js';

/** What is subscribed at Cal.com, and what it means. */
export const TRIGGERS = {
  BOOKING_CREATED: 'scheduled',
  BOOKING_RESCHEDULED: 'scheduled',
  BOOKING_CANCELLED: 'cancelled',
} as const satisfies Record<string, Act['kind']>;

/** Bookings that have yet to be confirmed, or never will be, are no meetings. */
const NOT_MET = new Set(['pending', 'rejected']);

/**
 * Reads a webhook of Cal.com; undefined for what tells of no meeting: a ping, another trigger, the shape of somebody's
 * own template, a booking that waits for its confirmation.
 * @param receivedAt stands in for the time of sending, where there is none or it lies ahead of ours
 */
export function actInWebhook(json: Json | undefined, receivedAt: Date): Act | undefined {
  const { triggerEvent, createdAt, payload } = fieldsOf(json);
  const trigger = textOf(triggerEvent);
  const fields = fieldsOf(payload);
  if (trigger === undefined || !Object.hasOwn(TRIGGERS, trigger)) return undefined;
  const kind = TRIGGERS[trigger as keyof typeof TRIGGERS];
  const booking = bookingIn(fields, kind);
  if (!booking || (kind === 'scheduled' && NOT_MET.has(textOf(fields['status'])?.toLowerCase() ?? '')))
    return undefined;
  const received = receivedAt.toISOString();
  const sent = instantOf(createdAt) ?? received;
  return { kind, at: sent < received ? sent : received, booking };
}

function bookingIn(fields: Fields, kind: Act['kind']): Booking | undefined {
  const uid = textOf(fields['uid']);
  const start = instantOf(fields['startTime']);
  if (uid === undefined || start === undefined) return undefined;
  const { organizer, team, metadata, location } = fields;
  const end = instantOf(fields['endTime']);
  const title = textOf(fields['title'], fields['eventTitle']);
  const eventType = textOf(fields['type']);
  const host = addressOf(fieldsOf(organizer)['email']);
  const meetingUrl = secureLinkOf(fieldsOf(metadata)['videoCallUrl'], location);
  const members = listOf(fieldsOf(team)['members']);
  return {
    uid,
    start,
    ...(end && { end }),
    ...(title && { title }),
    ...(eventType && { eventType }),
    ...(host && { host }),
    ...(meetingUrl && { meetingUrl }),
    ...(kind === 'scheduled' ? movedIn(fields, uid) : cancelledIn(fields)),
    attendees: attendeesOf(fields['attendees'], [organizer, ...members, ...listOf(fields['hosts'])]),
  };
}

/** Seats that are moved together keep their uid: nothing took the place of anything. */
function movedIn({ rescheduleUid }: Fields, uid: string): Partial<Booking> {
  const from = textOf(rescheduleUid);
  return from && from !== uid ? { rescheduledFrom: from } : {};
}

function cancelledIn({ cancellationReason, cancelledBy, requestReschedule }: Fields): Partial<Booking> {
  const reason = textOf(cancellationReason);
  const by = addressOf(cancelledBy);
  return {
    ...(reason && { reason }),
    ...(by && { cancelledBy: by }),
    ...(requestReschedule === true && { rescheduleRequested: true }),
  };
}
