import { type BookingPage, listBookings } from './list-bookings.js';
import type { Hub } from './provider.js';

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
