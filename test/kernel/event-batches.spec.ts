import fc from 'fast-check';
import { together } from '#kernel/events/event.queue.js';
import { countEvents } from '#kernel/events/hub-event.js';

const batches = fc
  .array(fc.record({ alone: fc.boolean(), size: fc.integer({ min: 1, max: 100 }) }), { maxLength: 60 })
  .map(shapes =>
    shapes.map(({ alone, size }, i) => ({
      id: `b${i}`,
      workspaceId: 'w',
      occurredAt: i,
      alone,
      events: Array.from({ length: size }, (_, n) => ({ id: `e${i}-${n}`, type: 't', payload: {} })),
    })),
  );

describe('batches of events', () => {
  it('travel once each, in order, a hundred events at most in a job, and by itself what workers died over', () => {
    fc.assert(
      fc.property(batches, all => {
        const loads = together(all);
        const alone = all.filter(batch => batch.alone).map(({ id }) => id);
        const sent = loads.flat().map(({ id }) => id);
        const inOrder = all.filter(batch => !batch.alone).map(({ id }) => id);
        expect(sent).toEqual([...inOrder, ...alone]);
        for (const load of loads) expect(countEvents(load)).toBeLessThanOrEqual(100);
        for (const load of loads) if (load.some(({ id }) => alone.includes(id))) expect(load.length).toBe(1);
      }),
    );
  });

  it('fill jobs as far as they go', () => {
    const small = Array.from({ length: 250 }, (_, i) => ({
      id: `b${i}`,
      workspaceId: 'w',
      occurredAt: i,
      alone: false,
      events: [{ id: `e${i}`, type: 't', payload: {} }],
    }));
    expect(together(small).map(load => load.length)).toEqual([100, 100, 50]);
  });
});
