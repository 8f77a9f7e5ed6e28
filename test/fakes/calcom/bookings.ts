/** Somebody at a booking, as the fake keeps them. */
export interface Guest {
  readonly email: string;
  readonly name?: string;
  readonly displayEmail?: string;
  readonly timeZone?: string;
  readonly seatUid?: string;
}

/** A booking as the fake keeps it; instants are ISO 8601, UTC. */
export interface Row {
  readonly uid: string;
  readonly start: string;
  readonly end: string;
  readonly status: 'accepted' | 'cancelled' | 'pending' | 'rejected';
  readonly attendees: readonly Guest[];
  readonly createdAt: string;
  readonly updatedAt: string | null;
  readonly title?: string;
  readonly rescheduledFromUid?: string;
  readonly rescheduledToUid?: string;
  readonly cancellationReason?: string;
}

/** Who organizes every booking of the fake. */
export const HOST = { id: 5, name: 'Bob Host', email: 'bob@seller.example', timeZone: 'Europe/Berlin' };

const HALF_AN_HOUR = 30 * 60_000;
let made = 0;

/** A booking like any other, with what shall be different. */
export function bookingWith(emails: readonly string[], more: Partial<Row> = {}): Row {
  const start = more.start ?? '2026-12-01T15:00:00.000Z';
  return {
    uid: `bkg-${++made}`,
    start,
    end: new Date(Date.parse(start) + HALF_AN_HOUR).toISOString(),
    status: 'accepted',
    attendees: emails.map(email => ({ email, name: nameFor(email), timeZone: 'Europe/London' })),
    createdAt: '2026-11-01T09:30:00.000Z',
    updatedAt: null,
    title: 'Intro',
    ...more,
  };
}

/** A booking as `GET /v2/bookings` of 2026-05-01 shows it. */
export function shownBooking(row: Row, id: number): object {
  const { attendees, title = 'Intro', cancellationReason = '', ...rest } = row;
  const host = { ...HOST, displayEmail: HOST.email, username: 'bob' };
  return {
    id,
    title,
    description: '',
    duration: 30,
    hosts: [host],
    attendees: attendees.map(({ email, displayEmail = email, ...guest }) => ({
      absent: false,
      language: 'en',
      ...guest,
      email,
      displayEmail,
    })),
    eventType: { id: 7, slug: 'intro' },
    location: 'https://meet.seller.example/room',
    meetingUrl: 'https://meet.seller.example/room',
    metadata: {},
    absentHost: false,
    guests: attendees.slice(1).map(({ email }) => email),
    bookingFieldsResponses: { email: attendees[0]?.email, name: attendees[0]?.name },
    icsUid: `${row.uid}@Cal.com`,
    cancellationReason,
    cancelledByEmail: '',
    reschedulingReason: '',
    rating: null,
    ...rest,
  };
}

/** The rows that a query asks for, newest uid first, as Cal.com orders them. */
export function filtered(rows: readonly Row[], query: URLSearchParams, ignored: boolean): Row[] {
  const after = (row: string | null, name: string) => {
    const wanted = query.get(name);
    return wanted === null || (row !== null && Date.parse(row) > Date.parse(wanted));
  };
  const email = query.get('attendeeEmail');
  return rows
    .filter(({ attendees }) => ignored || email === null || attendees.some(guest => guest.email === email))
    .filter(
      ({ createdAt, updatedAt }) =>
        ignored || (after(updatedAt, 'afterUpdatedAt') && after(createdAt, 'afterCreatedAt')),
    )
    .toSorted((a, b) => (a.uid < b.uid ? 1 : -1));
}

function nameFor(email: string): string {
  const [name = ''] = email.split('@');
  return name.charAt(0).toUpperCase() + name.slice(1);
}
