const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const UNITS = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
];

/** `20 Nov 2026` of an ISO 8601 time in UTC. */
export function dayOf(iso) {
  return `${Number(iso.slice(8, 10))} ${MONTHS[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`;
}

/** How long lies between two ISO 8601 times, in the largest unit that fits: `3 days`, `a moment`. */
export function spanOf(from, to) {
  const ms = Date.parse(to) - Date.parse(from);
  const unit = UNITS.find(([length]) => ms >= length);
  if (!unit) return 'a moment';
  const n = Math.floor(ms / unit[0]);
  return `${n} ${unit[1]}${n === 1 ? '' : 's'}`;
}

/** A period: both days and its length, or its length alone when it lasted no day. */
export function periodOf(from, to) {
  const [start, end] = [dayOf(from), dayOf(to)];
  return start === end ? `for ${spanOf(from, to)}` : `${start} to ${end}, ${spanOf(from, to)}`;
}
