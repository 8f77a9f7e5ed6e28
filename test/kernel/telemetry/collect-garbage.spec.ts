import { collectGarbage } from '../../../src/kernel/telemetry/collect-garbage.js';

const MB = 2 ** 20;

it('collectGarbage returns memory to the system', () => {
  const waste: unknown[] = Array.from({ length: 3_000_000 }, (_, i) => ({ i }));
  const full = process.memoryUsage.rss();
  waste.length = 0;
  collectGarbage();
  expect(full - process.memoryUsage.rss()).toBeGreaterThan(48 * MB);
});
