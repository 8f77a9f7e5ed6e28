import type { Json } from '@rapport/plugin-sdk';
import { addressOf } from './address.js';
import { attendeesOf } from './attendees.js';
import type { Act, Booking } from './booking.js';
import { type Fields, fieldsOf, instantOf, listOf, textOf } from './reading.js';
import { secureLinkOf } from './secure-link.js';

/** A booking of `GET /v2/bookings`, with where it stands. */
export interface ListedBooking {
  readonly booking: Booking;
  /** `accepted`, `cancelled`, `pending` or `rejected`. */
  readonly status: string;
  /** When it was last changed, or made when it never was; ISO 8601, UTC. */
  readonly changedAt: string | undefined;
  /** What it is to a timeline; undefined while it waits for its confirmation, and when it was rejected. */
  readonly act: Act | undefined;
}

/**
 * Reads an element of the list; undefined when it lacks what a booking needs.
 * @param now what happened cannot have happened later
 */
export function readListed(json: Json, now: Date): ListedBooking | undefined {
  const fields = fieldsOf(json);
  const uid = textOf(fields['uid']);
  const start = instantOf(fields['start'], fields['startTime']);
  const status = textOf(fields['status'])?.toLowerCase();
  if (uid === undefined || start === undefined || status === undefined) return undefined;
  const booking: Booking = { uid, start, ...detailsIn(fields), attendees: attendeesIn(fields) };
  const changedAt = instantOf(fields['updatedAt'], fields['createdAt']);
  return { booking, status, changedAt, act: actOf(booking, status, fields, now) };
}

/**
 * A booking is made when its row is; one with seats is changed by everybody who joins or moves, so there the last change
 * is nearer to what happened to a contact.
 */
function actOf(booking: Booking, status: string, fields: Fields, now: Date): Act | undefined {
  if (status !== 'accepted' && status !== 'cancelled') return undefined;
  const { createdAt, updatedAt } = fields;
  const changed = status === 'cancelled' || hasSeats(fields);
  const told = (changed ? instantOf(updatedAt, createdAt) : instantOf(createdAt)) ?? booking.start;
  const at = told < now.toISOString() ? told : now.toISOString();
  return { kind: status === 'accepted' ? 'scheduled' : 'cancelled', at, booking };
}

function hasSeats({ attendees }: Fields): boolean {
  return listOf(attendees).some(attendee => textOf(fieldsOf(attendee)['seatUid']) !== undefined);
}

function detailsIn(fields: Fields): Partial<Booking> {
  const end = instantOf(fields['end'], fields['endTime']);
  const title = textOf(fields['title']);
  const eventType = textOf(fieldsOf(fields['eventType'])['slug']);
  const host = addressOf(...listOf(fields['hosts']).map(each => fieldsOf(each)['email']));
  const meetingUrl = secureLinkOf(fields['location'], fields['meetingUrl']);
  const rescheduledFrom = textOf(fields['rescheduledFromUid']);
  const rescheduledTo = textOf(fields['rescheduledToUid']);
  const reason = textOf(fields['cancellationReason']);
  const cancelledBy = addressOf(fields['cancelledByEmail']);
  return {
    ...(end && { end }),
    ...(title && { title }),
    ...(eventType && { eventType }),
    ...(host && { host }),
    ...(meetingUrl && { meetingUrl }),
    ...(rescheduledFrom && { rescheduledFrom }),
    ...(rescheduledTo && { rescheduledTo }),
    ...(reason && { reason }),
    ...(cancelledBy && { cancelledBy }),
  };
}

function attendeesIn({ attendees, hosts }: Fields): Booking['attendees'] {
  return attendeesOf(attendees, listOf(hosts));
}
