const UNITS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Where every test begins, a Monday: noon is far from the edges of a day in every zone. */
const START = '2026-01-05T12:00:00.000Z';

/**
 * A clock that stands still until it is moved. Moving it runs the jobs whose time has come.
 * @example await hub.clock.advance('2d');
 */
export class TestClock {
  private nowMs: number;
  private readonly listeners: (() => Promise<void>)[] = [];

  /** @param start ISO 8601. Default: noon of 5 January 2026, UTC. */
  constructor(start: string = START) {
    this.nowMs = Date.parse(start);
    if (Number.isNaN(this.nowMs)) throw new Error(`"${start}" is no time in ISO 8601.`);
  }

  /** The time. */
  now(): Date {
    return new Date(this.nowMs);
  }

  /** Moves on by `90s`, `15m`, `2h`, `2d` or milliseconds, and runs what has become due. */
  async advance(by: string | number): Promise<void> {
    this.nowMs += typeof by === 'number' ? by : parseDurationMs(by);
    for (const listener of this.listeners) await listener();
  }

  /** Calls back after each move. */
  onAdvance(listener: () => Promise<void>): void {
    this.listeners.push(listener);
  }
}

function parseDurationMs(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text.trim()) ?? [];
  if (!unit) throw new Error(`"${text}" is no duration: write 500ms, 90s, 15m, 2h or 2d.`);
  return Number(number) * UNITS[unit as keyof typeof UNITS];
}
