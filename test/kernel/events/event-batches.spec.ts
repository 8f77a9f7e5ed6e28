import fc from 'fast-check';
import { groupIntoJobs } from '#kernel/events/event.queue.js';

const batches = fc
  .array(fc.record({ requeued: fc.boolean(), eventCount: fc.integer({ min: 1, max: 1000 }) }), { maxLength: 60 })
  .map(shapes => shapes.map((shape, i) => ({ ...shape, id: `b${i}`, workspaceId: 'w' })));

describe('batches of events', () => {
  it('travel once each, in order, a thousand events at most in a job, and by itself what workers died over', () => {
    fc.assert(
      fc.property(batches, all => {
        const loads = groupIntoJobs(all);
        const alone = all.filter(batch => batch.requeued).map(({ id }) => id);
        const sent = loads.flat().map(({ id }) => id);
        const inOrder = all.filter(batch => !batch.requeued).map(({ id }) => id);
        expect(sent).toEqual([...inOrder, ...alone]);
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
    }));
    expect(groupIntoJobs(small).map(load => load.length)).toEqual([1000, 1000, 400]);
  });
});
