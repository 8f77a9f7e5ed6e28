import { DAY_US, type Instant } from './instant.js';

/** Number of a day: full days since 1970-01-01 in UTC. */
export type DayNumber = number;

const WEEK_DAYS = 7;
const DAY_MS = 86_400_000;

/** The days of a year: the number of the first one, and how many of the first n days are workdays. */
interface YearOfWork {
  readonly first: DayNumber;
  readonly counts: Uint16Array;
}

/** The days on which the people of a country work. Days begin at midnight in UTC. */
export class WorkCalendar {
  private readonly years = new Map<number, YearOfWork>();

  /**
   * @param weekend days of the week without work: 1 is Monday, 7 is Sunday
   * @param listHolidays returns the public holidays of a year; called once for each year
   */
  constructor(
    private readonly weekend: ReadonlySet<number>,
    private readonly listHolidays: (year: number) => ReadonlySet<DayNumber> = () => new Set(),
  ) {}

  /** Returns how much of a period falls on workdays, in microseconds. */
  computeWorkTime(from: Instant, to: Instant): number {
    if (to <= from) return 0;
    const [first, last] = [Math.floor(from / DAY_US), Math.floor(to / DAY_US)];
    const early = this.countWorkdays(first, first + 1) * (from - first * DAY_US);
    const late = this.countWorkdays(last, last + 1) * (to - last * DAY_US);
    return this.countWorkdays(first, last) * DAY_US - early + late;
  }

  /**
   * Returns the days of a period as they would count in weeks without holidays: a full week has seven, a weekend none.
   * @param workTime time on workdays, in microseconds
   */
  toOrdinaryDays(workTime: number): number {
    return (workTime * WEEK_DAYS) / (WEEK_DAYS - this.weekend.size) / DAY_US;
  }

  /** Counts the workdays from one day until before another. */
  private countWorkdays(from: DayNumber, to: DayNumber): number {
    let count = 0;
    for (let day = from; day < to;) {
      const { first, counts } = this.readYear(new Date(day * DAY_MS).getUTCFullYear());
      const end = Math.min(to, first + counts.length - 1);
      count += counts[end - first]! - counts[day - first]!;
      day = end;
    }
    return count;
  }

  private readYear(year: number): YearOfWork {
    const known = this.years.get(year);
    if (known) return known;
    const [first, end] = [Date.UTC(year) / DAY_MS, Date.UTC(year + 1) / DAY_MS];
    const holidays = this.listHolidays(year);
    const counts = new Uint16Array(end - first + 1);
    for (let day = first; day < end; day++) {
      const isWorkday = !this.weekend.has(toWeekday(day)) && !holidays.has(day);
      counts[day - first + 1] = counts[day - first]! + Number(isWorkday);
    }
    const added = { first, counts };
    this.years.set(year, added);
    return added;
  }
}

/** Returns the day of the week: 1 is Monday, 7 is Sunday. */
function toWeekday(day: DayNumber): number {
  // 1970-01-01 was a Thursday.
  return ((((day + 3) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS) + 1;
}
