import { HOST, type Row } from './bookings.ts';

/** How the fields of a webhook's payload may differ from the usual ones. */
export type More = Readonly<Record<string, unknown>>;

/** A webhook as Cal.com sends it, before it is signed. */
export interface Envelope {
  readonly triggerEvent: string;
  readonly createdAt: string;
  readonly payload: More;
}

/** BOOKING_CREATED: times with a bare `Z`. */
export function createdOf(row: Row, createdAt = row.createdAt, more: More = {}): Envelope {
  const payload = { ...common(row), ...timesWith(row, 'Z'), status: 'ACCEPTED', ...more };
  return { triggerEvent: 'BOOKING_CREATED', createdAt, payload };
}

/** BOOKING_RESCHEDULED: the new uid and time, and which booking it takes the place of. */
export function rescheduledOf(row: Row, from: Row, createdAt = row.createdAt, more: More = {}): Envelope {
  const old = {
    rescheduleId: 1,
    rescheduleUid: from.uid,
    rescheduleStartTime: from.start,
    rescheduleEndTime: from.end,
  };
  const payload = { ...common(row), ...timesWith(row, 'Z'), status: 'ACCEPTED', iCalSequence: 1, ...old, ...more };
  return { triggerEvent: 'BOOKING_RESCHEDULED', createdAt, payload };
}

/** BOOKING_CANCELLED: times with `+00:00`, attendees without the parts of their names. */
export function cancelledOf(row: Row, createdAt: string, more: More = {}): Envelope {
  const attendees = common(row).attendees.map(({ email, name, timeZone }) => ({
    email,
    name,
    timeZone,
    phoneNumber: null,
  }));
  const end = { status: 'CANCELLED', cancellationReason: row.cancellationReason ?? '', iCalSequence: 2 };
  const payload = { ...common(row), ...timesWith(row, '+00:00'), attendees, ...end, ...more };
  return { triggerEvent: 'BOOKING_CANCELLED', createdAt, payload };
}

/** What the button “ping test” sends. */
export const ping: Envelope = {
  triggerEvent: 'PING',
  createdAt: '2026-11-02T10:00:00.000Z',
  payload: { type: 'Test', title: 'Test trigger event', startTime: '2026-11-02T10:00:00.000Z' },
};

function common({ uid, attendees, title = 'Intro' }: Row) {
  return {
    uid,
    bookingId: 101,
    eventTypeId: 7,
    type: 'intro',
    title,
    length: 30,
    organizer: { ...HOST, username: 'bob', language: { locale: 'en' }, utcOffset: 60 },
    attendees: attendees.map(({ email, name = '', timeZone = 'Europe/London' }) => ({
      email,
      name,
      firstName: name,
      lastName: '',
      timeZone,
      language: { locale: 'en' },
      utcOffset: 0,
    })),
    responses: { name: { label: 'your_name', value: attendees[0]?.name ?? '', isHidden: false } },
    location: 'integrations:daily',
    metadata: { videoCallUrl: 'https://meet.seller.example/room' },
    destinationCalendar: null,
  };
}

function timesWith({ start, end }: Row, zone: string) {
  const spelt = (instant: string) => instant.replace(/\.\d+Z$/, zone);
  return { startTime: spelt(start), endTime: spelt(end) };
}
