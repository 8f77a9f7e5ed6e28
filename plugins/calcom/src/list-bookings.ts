import { type Json, UnreachableError } from '@rapport/plugin-sdk';
import { findAddress, parseAttendees } from './contact.js';
import type { BookingEvent, Booking } from './booking.js';
import { type Fields, toFields, findInstant, toList, findText } from './json-fields.js';
import { findSecureLink } from './secure-link.js';
import { parseBody, callApi, toError, rateLimitDelayMs } from './provider.js';
import type { Hub } from './plugin.js';

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

/** Which form of the list is meant: another or none silently means an older one. */
const API_VERSION = '2026-05-01';
const PAGE_SIZE = 100;
/** Marks a cursor of ours, for a Cal.com that counts instead of pointing. */
const SKIP_PREFIX = 'skip:';

/** Bookings of one page. */
export interface BookingPage {
  readonly bookings: readonly BookingListItem[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
  /** How long to leave Cal.com alone before the next request, in milliseconds. */
  readonly delayMs: number;
}

/**
 * Reads a page of bookings of the user whose key it is. One try: whoever asks in the background waits by the hub's means.
 * @param filter such as `{ attendeeEmail: 'ada@acme.io' }`; Cal.com may ignore it
 * @throws RetryLater, PermanentError, UnreachableError, Error
 */
export async function listBookings(
  hub: Hub,
  filter: Readonly<Record<string, string>>,
  cursor?: string,
  attempts = 1,
): Promise<BookingPage> {
  const query = { ...filter, ...(cursor === undefined ? { limit: PAGE_SIZE } : toPageQuery(cursor)) };
  const answer = await callApi(hub, '/v2/bookings', { query, headers: { 'cal-api-version': API_VERSION }, attempts });
  if (answer.status !== 200) throw toError(hub, answer);
  const { data, pagination } = parseBody(answer);
  if (!Array.isArray(data))
    throw new UnreachableError('Cal.com answered with a list of another form: look at the setting api_url.');
  const now = hub.clock.now();
  const next = findNextCursor(toFields(pagination), cursor);
  return {
    bookings: (data as Json[]).map(item => parseListItem(item, now)).filter(booking => booking !== undefined),
    // One that points to where it is would be asked for ever.
    next: next === cursor ? undefined : next,
    delayMs: rateLimitDelayMs(answer, now),
  };
}

/** What the bookings of a page are to timelines. */
export function bookingEventsIn({ bookings }: Pick<BookingPage, 'bookings'>): BookingEvent[] {
  return bookings.flatMap(({ event }) => event ?? []);
}

function toPageQuery(cursor: string): Record<string, string | number> {
  return cursor.startsWith(SKIP_PREFIX)
    ? { take: PAGE_SIZE, skip: cursor.slice(SKIP_PREFIX.length), limit: PAGE_SIZE }
    : { limit: PAGE_SIZE, cursor };
}

/** One that you host yourself may answer in the form before, which tells how many are left. */
function findNextCursor(
  { nextCursor, hasMore, hasNextPage, returnedItems, itemsPerPage }: Fields,
  cursor = '',
): string | undefined {
  if (hasMore === true) return findText(nextCursor);
  if (hasNextPage !== true) return undefined;
  const seen = cursor.startsWith(SKIP_PREFIX) ? Number(cursor.slice(SKIP_PREFIX.length)) : 0;
  const step = [returnedItems, itemsPerPage].find(count => typeof count === 'number' && count > 0);
  return typeof step === 'number' ? `${SKIP_PREFIX}${seen + step}` : undefined;
}

/**
 * Bookings with one contact. Cal.com is asked for the address, but whether it answers with that one alone is its
 * business: what names somebody else is left out.
 */
export async function listContactBookings(
  hub: Hub,
  email: string,
  cursor?: string,
  attempts = 1,
): Promise<BookingPage> {
  const page = await listBookings(hub, { attendeeEmail: email }, cursor, attempts);
  const own = page.bookings.filter(({ booking }) => booking.attendees.some(attendee => attendee.email === email));
  return { ...page, bookings: own };
}
