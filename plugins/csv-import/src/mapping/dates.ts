/** Order of the numbers in dates such as 03/04/2025; null if the file does not tell. */
export type DateOrder = 'day_first' | 'month_first' | null;

/** A date of a cell: ISO 8601, or why it is none. */
export type ParsedDate = { readonly iso: string } | { readonly problem: 'no_date' | 'unknown_order' };

const MAX_LENGTH = 40;
const NUMERIC = /^(\d{1,2})([./-])(\d{1,2})\2(\d{2}|\d{4})(?:,?[ T](.+))?$/;
const YEAR_FIRST = /^(\d{4})([./-])(\d{1,2})\2(\d{1,2})(?:[ T](.+))?$/;
const NAMED_DAY_FIRST =
  /^(\d{1,2})(?:\.|st|nd|rd|th|º)?[ -](?:de )?(\p{L}+)\.?,?[ -](?:de )?(\d{2}|\d{4})(?:,?[ T](.+))?$/u;
const NAMED_MONTH_FIRST = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})(?:,?[ T](.+))?$/u;
const TIME = /^(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?: ?([ap])\.?m\.?)?(?: ?(Z|UTC|GMT|[+-]\d{2}:?\d{2}))?$/i;
const MONTH_LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'pl'];
/** Two-digit years from here on belong to the last century. */
const FIRST_YEAR_OF_1900S = 70;

/** Months by the first letters of their names, without accents. */
const MONTHS = createMonths();

/** Finds the order of a file's dates from its cells: one number above 12 settles it, a dot means that the day is first. */
export function detectDateOrder(cells: readonly string[]): DateOrder {
  let order: DateOrder = null;
  for (const cell of cells) {
    const [, first, separator, second] = NUMERIC.exec(cell.slice(0, MAX_LENGTH)) ?? [];
    if (first === undefined) continue;
    if (Number(first) > 12) return 'day_first';
    if (Number(second) > 12) return 'month_first';
    if (separator === '.') order = 'day_first';
  }
  return order;
}

/** Whether some of the cells are dates whose order of day and month matters. */
export function hasNumericDates(cells: readonly string[]): boolean {
  return cells.some(cell => NUMERIC.test(cell.slice(0, MAX_LENGTH)));
}

/** Parses a date of a cell. A date without time is the start of the day in UTC. Nothing is guessed. */
export function parseDate(cell: string, order: DateOrder): ParsedDate {
  const text = cell.slice(0, MAX_LENGTH);
  const yearFirst = YEAR_FIRST.exec(text);
  if (yearFirst) return toIso(yearFirst[1]!, yearFirst[3]!, yearFirst[4]!, yearFirst[5]);
  const numeric = NUMERIC.exec(text);
  if (numeric) {
    const [, first, separator, second, year, time] = numeric;
    const isSettled = separator === '.' || Number(first) > 12 || Number(second) > 12 || first === second;
    if (order === null && !isSettled) return { problem: 'unknown_order' };
    const isMonthFirst = order === 'month_first' || (order === null && Number(second) > 12);
    return isMonthFirst ? toIso(year!, first!, second!, time) : toIso(year!, second!, first!, time);
  }
  const dayFirst = NAMED_DAY_FIRST.exec(text);
  if (dayFirst) return toIso(dayFirst[3]!, findMonth(dayFirst[2]!), dayFirst[1]!, dayFirst[4]);
  const monthFirst = NAMED_MONTH_FIRST.exec(text);
  if (monthFirst) return toIso(monthFirst[3]!, findMonth(monthFirst[1]!), monthFirst[2]!, monthFirst[4]);
  return { problem: 'no_date' };
}

function toIso(yearText: string, month: string, day: string, time: string | undefined): ParsedDate {
  const short = Number(yearText);
  const year = yearText.length === 4 ? short : short + (short >= FIRST_YEAR_OF_1900S ? 1900 : 2000);
  const clock = parseTime(time);
  const date = new Date(Date.UTC(year, Number(month) - 1, Number(day)));
  const isReal = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && month !== '';
  if (!isReal || clock === undefined || year < 1900) return { problem: 'no_date' };
  return { iso: new Date(date.getTime() + clock).toISOString() };
}

/** Returns the milliseconds since midnight UTC; undefined if the text is no time. */
function parseTime(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === '') return 0;
  const [, hours, minutes, seconds = '0', half, zone] = TIME.exec(text.trim()) ?? [];
  if (hours === undefined) return undefined;
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const [, sign, zoneHours, zoneMinutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone ?? '') ?? [];
  const offset = sign === undefined ? 0 : (Number(zoneHours) * 60 + Number(zoneMinutes)) * (sign === '-' ? -1 : 1);
  return (hour * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000 - offset * 60_000;
}

/** Returns the number of a month; empty if no month, or several, begin like it. */
function findMonth(name: string): string {
  const key = toMonthKey(name);
  const exact =
    MONTHS.get(key) ?? (key.length >= 3 ? (MONTHS.get(key.slice(0, 4)) ?? MONTHS.get(key.slice(0, 3))) : undefined);
  return exact === undefined || exact === 0 ? '' : String(exact);
}

function toMonthKey(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Maps names and beginnings of months to their numbers; 0 for beginnings that several months share. */
function createMonths(): ReadonlyMap<string, number> {
  const months = new Map<string, number>();
  for (const language of MONTH_LANGUAGES) {
    for (const style of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(language, { month: style, timeZone: 'UTC' });
      const inDate = new Intl.DateTimeFormat(language, { month: style, day: 'numeric', timeZone: 'UTC' });
      for (let month = 1; month <= 12; month += 1) {
        const day = Date.UTC(2024, month - 1, 15);
        const genitive = inDate.formatToParts(day).find(({ type }) => type === 'month')?.value ?? '';
        for (const name of [format.format(day), genitive]) {
          const key = toMonthKey(name).replace(/\P{L}/gu, '');
          for (const part of [key, key.slice(0, 4), key.slice(0, 3)]) {
            const known = months.get(part);
            if (part.length >= 3) months.set(part, known === undefined || known === month ? month : 0);
          }
        }
      }
    }
  }
  return months;
}
