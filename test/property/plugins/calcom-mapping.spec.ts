import fc from 'fast-check';
import { listUpcomingMeetings } from '#domain/meetings/upcoming-meetings.js';
import { parseInstant } from '#domain/time/instant.js';
import type { Json, ObservationInput } from '#sdk/index.js';
import { findAddress } from '../../../plugins/calcom/src/contact.js';
import type { BookingEvent } from '../../../plugins/calcom/src/booking.js';
import { parseListItem } from '../../../plugins/calcom/src/list-bookings.js';
import { toObservations } from '../../../plugins/calcom/src/observation.js';
import { parseWebhookEvent } from '../../../plugins/calcom/src/webhook-event.js';
import { bookingWith, HOST, type Row, shownBooking } from '../../fakes/calcom/bookings.ts';
import { cancelledOf, createdOf, type Envelope, ping, rescheduledOf } from '../../fakes/calcom/payloads.ts';

const [ADA, GRACE, LINUS] = ['ada@example.org', 'grace@example.org', 'linus@example.org'];
const NOW = new Date('2026-11-20T12:00:00Z');
const on = (day: number) => `2026-11-${String(day).padStart(2, '0')}T09:00:00.000Z`;
const at = (day: number, uid: string, emails: string[]) =>
  bookingWith(emails, { uid, start: `2026-12-${String(day).padStart(2, '0')}T15:00:00.000Z` });

/** Booked, moved, called off by a host who wants another time; seats that fill, move and empty; a series; a team. */
const first = at(1, 'u1', [ADA, GRACE]);
const moved = at(2, 'u2', [ADA, GRACE]);
const seats = (emails: string[], day = 5) => at(day, 's1', emails);
const story: readonly Envelope[] = [
  createdOf(first, on(1)),
  rescheduledOf(moved, first, on(2)),
  cancelledOf(moved, on(3), { requestReschedule: true }),
  createdOf(at(3, 'u3', [ADA]), on(4)),
  createdOf(seats([ADA]), on(5), { seatsPerTimeSlot: 3 }),
  createdOf(seats([LINUS]), on(6), { seatsPerTimeSlot: 3 }),
  rescheduledOf(seats([ADA, LINUS], 6), seats([]), on(7)),
  cancelledOf(seats([LINUS], 6), on(8)),
  createdOf(at(9, 'u4', [GRACE, HOST.email, 'eve@seller.example', '4915112345678@sms.cal.com']), on(9), {
    recurringEvent: { freq: 2, count: 3, interval: 1 },
    team: { id: 1, name: 'Sales', members: [{ id: 6, name: 'Eve', email: 'Eve@seller.example', timeZone: 'UTC' }] },
  }),
];

/** What the graph keeps: one of each external id and property for a contact, the first that came. */
function received(acts: readonly (BookingEvent | undefined)[]): Map<string, ObservationInput & { who: string }> {
  const stored = new Map<string, ObservationInput & { who: string }>();
  for (const act of acts) {
    for (const attendee of act?.booking.attendees ?? []) {
      for (const observation of toObservations(act!, attendee)) {
        const key = `${attendee.email} ${observation.property} ${observation.external_id}`;
        if (!stored.has(key)) stored.set(key, { ...observation, who: attendee.email });
      }
    }
  }
  return new Map([...stored].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const fromWebhook = (envelope: Envelope) => parseWebhookEvent(JSON.parse(JSON.stringify(envelope)) as Json, NOW);
const fromList = (row: Row) => parseListItem(JSON.parse(JSON.stringify(shownBooking(row, 1))) as Json, NOW)?.event;

/** Starts of the meetings that lie ahead of each contact. */
function ahead(acts: readonly (BookingEvent | undefined)[]) {
  const events = Map.groupBy(received(acts).values(), ({ who }) => who);
  return Object.fromEntries(
    [ADA, GRACE, LINUS].map(who => {
      const meetings = (events.get(who) ?? []).filter(({ kind }) => kind === 'event');
      const logged = meetings.map((meeting, i) => ({
        id: String(i),
        property: meeting.property,
        value: meeting.value as never,
        observedAt: parseInstant(meeting.observed_at!)!,
      }));
      return [
        who,
        listUpcomingMeetings(logged, NOW.getTime() * 1000).map(({ start }) => new Date(start / 1000).getUTCDate()),
      ];
    }),
  );
}

it('nine webhooks end in the same state in any order, however often each is delivered', () => {
  const end = received(story.map(fromWebhook));
  expect([...end.values()].filter(({ kind }) => kind === 'event')).toHaveLength(13);
  expect(ahead(story.map(fromWebhook))).toEqual({ [ADA]: [3, 6], [GRACE]: [9], [LINUS]: [] });
  const twice = [...story, ...story, ping];
  fc.assert(
    fc.property(fc.shuffledSubarray(twice, { minLength: twice.length }), shuffled => {
      const acts = shuffled.map(fromWebhook);
      expect(received(acts)).toEqual(end);
      expect(ahead(acts)).toEqual({ [ADA]: [3, 6], [GRACE]: [9], [LINUS]: [] });
    }),
    { numRuns: 200 },
  );
});

it('a booking is one activity, whether the webhook or the list tells of it first', () => {
  const day = fc.integer({ min: 1, max: 28 });
  fc.assert(
    fc.property(day, fc.constantFrom('accepted', 'cancelled'), fc.boolean(), (start, status, listFirst) => {
      const row = { ...at(start, 'u9', [ADA]), status } as Row;
      const webhook = fromWebhook(status === 'accepted' ? createdOf(row) : cancelledOf(row, on(10)));
      const acts = listFirst ? [fromList(row), webhook] : [webhook, fromList(row)];
      const events = [...received(acts).values()].filter(({ kind }) => kind === 'event');
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({ value: { start: row.start, status, booking_uid: 'u9', host: HOST.email } });
    }),
  );
});

it('the time of a booking counts, not how it is spelt', () => {
  const spellings = ['Z', '.000Z', '+00:00', '.000000+00:00'].map(zone => `2026-12-01T15:00:00${zone}`);
  const ids = [...spellings, '2026-12-01T16:00:00+01:00', '2026-12-01T10:30:00-04:30'].map(startTime => {
    const act = fromWebhook(createdOf(first, on(1), { startTime }))!;
    return toObservations(act, act.booking.attendees[0]!)[0]!.external_id;
  });
  expect(new Set(ids)).toEqual(new Set(['calcom:u1:1796137200']));
});

it('a time without a zone is UTC wherever the hub runs, and what is no ISO 8601 is no time', () => {
  const startOf = (startTime: string) => fromWebhook(createdOf(first, on(1), { startTime }))?.booking.start;
  expect(startOf('2026-12-01T15:00:00')).toBe('2026-12-01T15:00:00.000Z');
  expect(['Monday 5', '5', 'soon', '1764601200000', '+275760-09-13T00:00:00Z'].map(startOf)).toEqual(
    Array.from({ length: 5 }),
  );
});

it('what a clock has sent that is ahead of ours happened when it came', () => {
  expect(fromWebhook(createdOf(first, '2099-01-01T00:00:00Z'))?.at).toBe(NOW.toISOString());
});

it('whatever people write, the hub takes the meeting', () => {
  const wild = `a\0b\ud800c${'😀'.repeat(500_000)}`;
  const act = fromWebhook(cancelledOf(first, on(1), { title: wild, cancellationReason: wild }))!;
  const [{ value }] = toObservations(act, act.booking.attendees[0]!) as [ObservationInput];
  const text = JSON.stringify(value);
  expect(Buffer.byteLength(text)).toBeLessThan(64 * 1024);
  expect(text).toContain('"title":"ab\ufffdc😀');
  expect(text).not.toMatch(/\\u(?:d[89a-f]|0000)/i);
});

it('an address is read once and for all', () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.stringMatching(/^[a-zA-Z0-9]{25}$/), (email, id) => {
      const address = findAddress(email);
      expect(findAddress(address)).toBe(address);
      const managed = email.replace('@', `+${id}@`);
      if (!/\+[a-zA-Z0-9]{25}@/.test(email)) expect(findAddress(` ${managed.toUpperCase()} `)).toBe(address);
    }),
  );
});

it('whatever comes is read or left out, and never breaks anything', () => {
  const trigger = fc.constantFrom('BOOKING_CREATED', 'BOOKING_CANCELLED', 'constructor', 'PING');
  fc.assert(
    fc.property(fc.jsonValue(), trigger, (json, triggerEvent) => {
      for (const body of [
        json,
        { triggerEvent, payload: json },
        { triggerEvent, payload: { uid: 'u', startTime: json } },
      ]) {
        const act = parseWebhookEvent(body as Json, NOW);
        if (act) expect(act.booking.attendees).toEqual([]);
      }
      expect(() => parseListItem(json as Json, NOW)).not.toThrow();
    }),
  );
});

it('what waits for its confirmation, or will never be, is no meeting', () => {
  expect(fromWebhook(createdOf(first, on(1), { status: 'PENDING' }))).toBeUndefined();
  expect(['pending', 'rejected'].map(status => fromList({ ...first, status } as Row))).toEqual([undefined, undefined]);
  expect(fromWebhook(ping)).toBeUndefined();
  expect(parseWebhookEvent({ triggerEvent: 'MEETING_STARTED', uid: 'u1', startTime: on(1) }, NOW)).toBeUndefined();
  expect(parseWebhookEvent('content=&quot;my own&quot;', NOW)).toBeUndefined();
});
