import fc from 'fast-check';
import { groupIntoJobs } from '#kernel/events/event.queue.js';
import { prioritize } from '#kernel/events/outbox.repository.js';

const batches = fc
  .array(
    fc.record({
      requeued: fc.boolean(),
      eventCount: fc.integer({ min: 1, max: 1000 }),
      priority: fc.integer({ min: 0, max: 2 }),
    }),
    { maxLength: 60 },
  )
  .map(shapes => shapes.map((shape, i) => ({ ...shape, id: `b${i}`, workspaceId: 'w' })));

describe('batches of events', () => {
  it('travel once each, in order, a thousand events at most in a job, and by itself what workers died over', () => {
    fc.assert(
      fc.property(batches, all => {
        const groups = groupIntoJobs(all);
        const loads = groups.map(group => group.batches);
        const alone = all.filter(batch => batch.requeued).map(({ id }) => id);
        const sent = loads.flat().map(({ id }) => id);
        const inOrder = all.filter(batch => !batch.requeued).map(({ id }) => id);
        const together = sent.slice(0, inOrder.length);
        for (const priority of [0, 1, 2]) {
          const ofPriority = (id: string) => all.find(batch => batch.id === id)!.priority === priority;
          expect(together.filter(ofPriority)).toEqual(inOrder.filter(ofPriority));
        }
        expect(sent.slice(inOrder.length)).toEqual(alone);
        const priorityOf = new Map(all.map(({ id, priority }) => [id, priority]));
        for (const { priority, batches: members } of groups) {
          expect(members.map(({ id }) => priorityOf.get(id))).toEqual(members.map(() => priority));
        }
        const sizeOf = new Map(all.map(({ id, eventCount }) => [id, eventCount]));
        const sizes = loads.map(load => load.reduce((sum, { id }) => sum + sizeOf.get(id)!, 0));
        expect(Math.max(0, ...sizes)).toBeLessThanOrEqual(1000);
        for (const load of loads) if (load.some(({ id }) => alone.includes(id))) expect(load.length).toBe(1);
      }),
    );
  });

  it('fill jobs as far as they go', () => {
    const small = Array.from({ length: 2400 }, (_, i) => ({
      id: `b${i}`,
      workspaceId: 'w',
      requeued: false,
      eventCount: 1,
      priority: 0,
    }));
    expect(groupIntoJobs(small).map(group => group.batches.length)).toEqual([1000, 1000, 400]);
  });

  it('come later the more events of their workspace wait', () => {
    const batch = (workspaceId: string, id: string) => ({ id, workspaceId, requeued: false, eventCount: 100 });
    const flood = Array.from({ length: 42 }, (_, i) => batch('flood', `f${i}`));
    const priorities = prioritize([...flood, batch('quiet', 'q')], new Map([['flood', 0]])).map(
      ({ priority }) => priority,
    );
    expect(priorities.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(priorities.slice(10, 20)).toEqual(Array(10).fill(1));
    expect(priorities.slice(20, 40)).toEqual(Array(20).fill(2));
    expect(priorities.slice(40)).toEqual([3, 3, 0]);
    expect(prioritize([batch('flood', 'next')], new Map([['flood', 7_900]]))[0]!.priority).toBe(3);
  });
});
