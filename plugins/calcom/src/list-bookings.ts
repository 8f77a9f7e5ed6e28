import { type Json, Unreachable } from '@rapport/plugin-sdk';
import type { Act } from './booking.js';
import { type ListedBooking, readListed } from './listed-booking.js';
import { answered, ask, failure, type Hub } from './provider.js';
import { restAfter } from './rate-limit.js';
import { type Fields, fieldsOf, textOf } from './reading.js';

/** Which form of the list is meant: another or none silently means an older one. */
const VERSION = '2026-05-01';
const PAGE = 100;
/** Marks a cursor of ours, for a Cal.com that counts instead of pointing. */
const SKIP = 'skip:';

/** Bookings of one page. */
export interface BookingPage {
  readonly bookings: readonly ListedBooking[];
  /** Where the next page begins; undefined at the end. */
  readonly next: string | undefined;
  /** How long to leave Cal.com alone before the next request, in milliseconds. */
  readonly restMs: number;
}

/**
 * Reads a page of bookings of the user whose key it is. One try: whoever asks in the background waits by the hub's means.
 * @param filter such as `{ attendeeEmail: 'ada@acme.io' }`; Cal.com may ignore it
 * @throws RetryLater, PermanentError, Unreachable, Error
 */
export async function listBookings(
  hub: Hub,
  filter: Readonly<Record<string, string>>,
  cursor?: string,
  attempts = 1,
): Promise<BookingPage> {
  const query = { ...filter, ...(cursor === undefined ? { limit: PAGE } : pageAt(cursor)) };
  const answer = await ask(hub, '/v2/bookings', { query, headers: { 'cal-api-version': VERSION }, attempts });
  if (answer.status !== 200) throw failure(hub, answer);
  const { data, pagination } = answered(answer);
  if (!Array.isArray(data))
    throw new Unreachable('Cal.com answered with a list of another form: look at the setting api_url.');
  const now = hub.clock.now();
  const next = nextOf(fieldsOf(pagination), cursor);
  return {
    bookings: (data as Json[]).map(item => readListed(item, now)).filter(booking => booking !== undefined),
    // One that points to where it is would be asked for ever.
    next: next === cursor ? undefined : next,
    restMs: restAfter(answer, now),
  };
}

/** What the bookings of a page are to timelines. */
export function actsIn({ bookings }: Pick<BookingPage, 'bookings'>): Act[] {
  return bookings.flatMap(({ act }) => act ?? []);
}

function pageAt(cursor: string): Record<string, string | number> {
  return cursor.startsWith(SKIP)
    ? { take: PAGE, skip: cursor.slice(SKIP.length), limit: PAGE }
    : { limit: PAGE, cursor };
}

/** One that you host yourself may answer in the form before, which tells how many are left. */
function nextOf(
  { nextCursor, hasMore, hasNextPage, returnedItems, itemsPerPage }: Fields,
  cursor = '',
): string | undefined {
  if (hasMore === true) return textOf(nextCursor);
  if (hasNextPage !== true) return undefined;
  const seen = cursor.startsWith(SKIP) ? Number(cursor.slice(SKIP.length)) : 0;
  const step = [returnedItems, itemsPerPage].find(count => typeof count === 'number' && count > 0);
  return typeof step === 'number' ? `${SKIP}${seen + step}` : undefined;
}
