import { computePauseMs } from '#kernel/events/outbox.relay.js';

const OPTIONS = { minPauseMs: 20, maxPauseMs: 300 };

describe('computePauseMs', () => {
  it('doubles the pause while several batches arrive, up to the maximum, and starts again after a single one', () => {
    const pauses: number[] = [];
    for (const published of [1, 2, 5, 9, 30, 30, 1, 2])
      pauses.push(computePauseMs(pauses.at(-1) ?? 0, published, OPTIONS));
    expect(pauses).toEqual([20, 40, 80, 160, 300, 300, 20, 40]);
  });

  it('does not pause after an empty round', () => {
    expect(computePauseMs(300, 0, OPTIONS)).toBe(0);
  });
});
