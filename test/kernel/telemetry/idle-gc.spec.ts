import { collectGarbage, IdleGc } from '../../../src/kernel/telemetry/idle-gc.js';

const MB = 2 ** 20;

/** A process that is as busy and holds as much as one says, and counts how often it gave back. */
class Told {
  gaveBack = 0;
  constructor(
    public busyFor: number,
    public megabytes: number,
  ) {}

  readonly utilization = () => this.busyFor;
  readonly residentBytes = () => this.megabytes * MB;
  readonly collectGarbage = () => {
    this.gaveBack++;
    this.megabytes = 200;
  };
}

describe('memory at rest', () => {
  it('is given back after a load, once', () => {
    const told = new Told(0.9, 200);
    const memory = new IdleGc(told);
    memory.collect();
    Object.assign(told, { megabytes: 600 });
    memory.collectIfIdle();
    expect(told.gaveBack).toBe(1);
    Object.assign(told, { busyFor: 0.001 });
    memory.collectIfIdle();
    memory.collectIfIdle();
    expect(told).toMatchObject({ gaveBack: 2, megabytes: 200 });
  });

  it('is left as it is where little has been added', () => {
    const told = new Told(0, 200);
    const memory = new IdleGc(told);
    memory.collect();
    Object.assign(told, { megabytes: 250 });
    memory.collectIfIdle();
    expect(told.gaveBack).toBe(1);
  });

  it('goes back to the system', () => {
    const waste: unknown[] = Array.from({ length: 3_000_000 }, (_, i) => ({ i }));
    const full = process.memoryUsage.rss();
    waste.length = 0;
    collectGarbage();
    expect(full - process.memoryUsage.rss()).toBeGreaterThan(48 * MB);
  });
});
