import fc from 'fast-check';
import { computeRestMs, pause } from '#kernel/scheduling/rest.js';

describe('computeRestMs', () => {
  it('leaves the work its share of the time', () => {
    const workedMs = fc.double({ min: 0.1, max: 1e5, noNaN: true });
    const shares = fc.double({ min: 0.01, max: 1, noNaN: true });
    const keepsShare = fc.property(workedMs, shares, (worked, share) => {
      expect(worked / (worked + computeRestMs(worked, share))).toBeCloseTo(share, 6);
    });
    fc.assert(keepsShare);
  });
});

describe('pause', () => {
  it('ends when the signal aborts, also if it has aborted before', async () => {
    const stop = new AbortController();
    const waiting = pause(600_000, stop.signal);
    stop.abort();
    await waiting;
    await pause(600_000, stop.signal);
  });
});
