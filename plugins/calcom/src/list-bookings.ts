import { type Json, UnreachableError } from '@rapport/plugin-sdk';
import type { BookingEvent } from './booking.js';
import { type BookingListItem, parseListItem } from './booking-list-item.js';
import { parseBody, callApi, toError, type Hub } from './provider.js';
import { rateLimitDelayMs } from './rate-limit.js';
import { type Fields, toFields, findText } from './json-fields.js';

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
