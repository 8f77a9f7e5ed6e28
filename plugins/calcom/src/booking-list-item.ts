import type { Json } from '@rapport/plugin-sdk';
import { findAddress } from './address.js';
import { parseAttendees } from './attendees.js';
import type { BookingEvent, Booking } from './booking.js';
import { type Fields, toFields, findInstant, toList, findText } from './json-fields.js';
import { findSecureLink } from './secure-link.js';

/** A booking of `GET /v2/bookings`, with where it stands. */
export interface BookingListItem {
  readonly booking: Booking;
  /** `accepted`, `cancelled`, `pending` or `rejected`. */
  readonly status: string;
  /** When it was last changed, or made when it never was; ISO 8601, UTC. */
  readonly changedAt: string | undefined;
  /** What it is to a timeline; undefined while it waits for its confirmation, and when it was rejected. */
  readonly event: BookingEvent | undefined;
}

/**
 * Reads an element of the list; undefined when it lacks what a booking needs.
 * @param now what happened cannot have happened later
 */
export function parseListItem(json: Json, now: Date): BookingListItem | undefined {
  const fields = toFields(json);
  const uid = findText(fields['uid']);
  const start = findInstant(fields['start'], fields['startTime']);
  const status = findText(fields['status'])?.toLowerCase();
  if (uid === undefined || start === undefined || status === undefined) return undefined;
  const booking: Booking = { uid, start, ...parseDetails(fields), attendees: parseItemAttendees(fields) };
  const changedAt = findInstant(fields['updatedAt'], fields['createdAt']);
  return { booking, status, changedAt, event: toBookingEvent(booking, status, fields, now) };
}

/**
 * A booking is made when its row is; one with seats is changed by everybody who joins or moves, so there the last change
 * is nearer to what happened to a contact.
 */
function toBookingEvent(booking: Booking, status: string, fields: Fields, now: Date): BookingEvent | undefined {
  if (status !== 'accepted' && status !== 'cancelled') return undefined;
  const { createdAt, updatedAt } = fields;
  const changed = status === 'cancelled' || hasSeats(fields);
  const changedTime = (changed ? findInstant(updatedAt, createdAt) : findInstant(createdAt)) ?? booking.start;
  const at = changedTime < now.toISOString() ? changedTime : now.toISOString();
  return { kind: status === 'accepted' ? 'scheduled' : 'cancelled', at, booking };
}

function hasSeats({ attendees }: Fields): boolean {
  return toList(attendees).some(attendee => findText(toFields(attendee)['seatUid']) !== undefined);
}

function parseDetails(fields: Fields): Partial<Booking> {
  const end = findInstant(fields['end'], fields['endTime']);
  const title = findText(fields['title']);
  const eventType = findText(toFields(fields['eventType'])['slug']);
  const host = findAddress(...toList(fields['hosts']).map(each => toFields(each)['email']));
  const meetingUrl = findSecureLink(fields['location'], fields['meetingUrl']);
  const rescheduledFrom = findText(fields['rescheduledFromUid']);
  const rescheduledTo = findText(fields['rescheduledToUid']);
  const reason = findText(fields['cancellationReason']);
  const cancelledBy = findAddress(fields['cancelledByEmail']);
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

function parseItemAttendees({ attendees, hosts }: Fields): Booking['attendees'] {
  return parseAttendees(attendees, toList(hosts));
}
