import fc from 'fast-check';
import { inBatches } from '#kernel/events/event.queue.js';

const events = fc
  .array(fc.boolean(), { maxLength: 450 })
  .map(marks =>
    marks.map((alone, i) => ({ id: `e${i}`, workspaceId: 'w', type: 't', payload: {}, occurredAt: i, alone })),
  );

describe('batches of events', () => {
  it('hold every event once, in order, a hundred at most, and those by themselves that workers died over', () => {
    fc.assert(
      fc.property(events, all => {
        const batches = inBatches(all);
        const together = batches.filter(batch => batch.length > 1).flat();
        expect(
          batches
            .flat()
            .map(({ id }) => id)
            .toSorted(),
        ).toEqual(all.map(({ id }) => id).toSorted());
        expect(together.map(({ occurredAt }) => occurredAt)).toEqual(
          together.map(e => e.occurredAt).toSorted((a, b) => a - b),
        );
        for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(100);
        for (const { id } of all.filter(({ alone }) => alone))
          expect(together.some(event => event.id === id)).toBe(false);
        expect(batches.length).toBeLessThanOrEqual(5 + all.filter(({ alone }) => alone).length);
      }),
    );
  });
});
