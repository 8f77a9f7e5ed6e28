const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Default start of a test, a Monday. At noon UTC it is the same date in nearly every time zone. */
const START = '2026-01-05T12:00:00.000Z';

/**
 * A clock that changes only through `advance`, which also runs the jobs that become due.
 * @example await hub.clock.advance('2d');
 */
export class TestClock {
  private nowMs: number;
  private readonly listeners: (() => Promise<void>)[] = [];

  /** @param start ISO 8601. Default: noon of 5 January 2026, UTC. */
  constructor(start: string = START) {
    this.nowMs = Date.parse(start);
    if (Number.isNaN(this.nowMs)) throw new Error(`"${start}" is not an ISO 8601 time.`);
  }

  /** Returns the current time of the test. */
  now(): Date {
    return new Date(this.nowMs);
  }

  /** Advances by `90s`, `15m`, `2h`, `2d` or milliseconds, and runs the jobs that become due. */
  async advance(by: string | number): Promise<void> {
    this.nowMs += typeof by === 'number' ? by : parseDurationMs(by);
    for (const listener of this.listeners) await listener();
  }

  /** Calls the listener after each advance. */
  onAdvance(listener: () => Promise<void>): void {
    this.listeners.push(listener);
  }
}

function parseDurationMs(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  if (!unit) throw new Error(`"${text}" is not a duration: write 500ms, 90s, 15m, 2h or 2d.`);
  return Number(number) * UNITS[unit as keyof typeof UNITS];
}
