import { PermanentError } from '@rapport/plugin-sdk';
import { TestGraph } from '@rapport/plugin-sdk/testing';
import type { BookingEvent } from '../src/booking.js';
import type { Hub } from '../src/plugin.js';
import { recordEvents } from '../src/record-events.js';

const COUNT = 100;

/** A graph that counts calls, and refuses those with a booking that it is told not to take. */
class CountingGraph extends TestGraph {
  calls = 0;
  refused = 'none';

  override async record(...[focus, observations]: Parameters<TestGraph['record']>) {
    this.calls++;
    if (observations.some(({ external_id }) => external_id?.includes(`:${this.refused}`)))
      throw new PermanentError('no');
    return super.record(focus, observations);
  }
}

function createEnvironment() {
  const graph = new CountingGraph('calcom', () => new Date());
  const left: unknown[] = [];
  const hub = { graph, log: { warn: (_: string, facts: object) => left.push(facts) } } as unknown as Hub;
  return { graph, left, hub };
}

function createEvent(n: number, ...emails: string[]): BookingEvent {
  const start = new Date(Date.UTC(2026, 0, 1) + n * 3_600_000).toISOString();
  const attendees = emails.map(email => ({ email, name: 'Somebody' }));
  return { kind: 'scheduled', at: start, booking: { uid: `b${n}`, start, attendees } };
}

const events = Array.from({ length: COUNT }, (_, n) => createEvent(n, 'ada@example.org')).toReversed();
const meetings = ({ observations }: TestGraph) =>
  observations.flatMap(({ kind, external_id }) => (kind === 'event' ? external_id!.split(':')[1] : []));

it('a page about one contact is two calls, in the order in which it happened, and a repeat adds nothing', async () => {
  const { graph, hub } = createEnvironment();
  expect(await recordEvents(hub, events)).toBe(COUNT);
  expect(graph.calls).toBe(2);
  expect(meetings(graph)).toEqual(Array.from({ length: COUNT }, (_, n) => `b${n}`));
  expect(await recordEvents(hub, events)).toBe(0);
  expect(graph.observations).toHaveLength(2 * COUNT);
});

it('one booking that is not taken costs the others nothing', async () => {
  const { graph, left, hub } = createEnvironment();
  graph.refused = 'b7:';
  expect(await recordEvents(hub, events)).toBe(COUNT - 1);
  expect(meetings(graph)).toHaveLength(COUNT - 1);
  expect(left).toEqual([{ booking: 'b7', reason: 'no' }]);
});

it('a rescheduled booking is on the timeline and is not reported as cancelled', async () => {
  const { graph, hub } = createEnvironment();
  const { booking, at } = createEvent(1, 'ada@example.org');
  await recordEvents(hub, [
    { kind: 'cancelled', at, booking: { ...booking, rescheduledTo: 'b2' } },
    { kind: 'cancelled', at, booking: { ...booking, uid: 'b3' } },
  ]);
  expect(graph.observations.map(({ method }) => method)).toEqual(['backfill', 'plugin']);
});

it('every attendee is reported, or the one that is named', async () => {
  const { graph, hub } = createEnvironment();
  const shared = [createEvent(1, 'ada@example.org', 'bob@example.org'), createEvent(2, 'bob@example.org')];
  expect(await recordEvents(hub, shared, { onlyEmail: 'bob@example.org' })).toBe(2);
  expect(await recordEvents(hub, shared)).toBe(1);
  expect(meetings(graph)).toEqual(['b1', 'b2', 'b1']);
});
