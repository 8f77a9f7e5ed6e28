import { Injectable } from '@nestjs/common';
import Holidays from 'date-holidays';
import { countryCode } from '#domain/comparison/countries.js';
import { DAY_US, parseInstant } from '#domain/time/instant.js';
import { type DayNumber, WorkCalendar } from '#domain/time/work-calendar.js';

/** The part of `Intl.Locale` about weeks: a method since Node 24, a property before. */
interface LocaleWeek {
  getWeekInfo?(): { readonly weekend: readonly number[] };
  readonly weekInfo?: { readonly weekend: readonly number[] };
}

const DEFAULT_WEEKEND = [6, 7];
const DAY_MS = 86_400_000;

/**
 * The workdays of countries: weekends as the Unicode CLDR has them, and nationwide public holidays of the package
 * `date-holidays`. There is at most one calendar for each country.
 */
@Injectable()
export class WorkCalendars {
  private readonly byCode = new Map<string | undefined, WorkCalendar>();

  /**
   * Returns the calendar of a country.
   * @param country code or name; for an unknown one weekends are Saturday and Sunday, and there are no holidays
   */
  find(country: string | undefined): WorkCalendar {
    const code = country === undefined ? undefined : countryCode(country);
    const known = this.byCode.get(code);
    if (known) return known;
    const calendar = code === undefined ? new WorkCalendar(new Set(DEFAULT_WEEKEND)) : createCalendar(code);
    this.byCode.set(code, calendar);
    return calendar;
  }
}

function createCalendar(code: string): WorkCalendar {
  const holidays = new Holidays(code);
  return new WorkCalendar(new Set(readWeekend(code)), year => listPublicHolidays(holidays, year));
}

function readWeekend(code: string): readonly number[] {
  const locale = new Intl.Locale(`und-${code}`) as LocaleWeek;
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.weekend ?? DEFAULT_WEEKEND;
}

/** Lists the public holidays of a year, each day of those that last several. */
function listPublicHolidays(holidays: Holidays, year: number): ReadonlySet<DayNumber> {
  const days = new Set<DayNumber>();
  for (const { type, date, start, end } of holidays.getHolidays(year)) {
    const first = parseInstant(date.slice(0, 10));
    if (type !== 'public' || first === undefined) continue;
    const length = Math.max(1, Math.round((end.getTime() - start.getTime()) / DAY_MS));
    for (let i = 0; i < length; i++) days.add(first / DAY_US + i);
  }
  return days;
}
