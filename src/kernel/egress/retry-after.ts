/**
 * Parses `Retry-After`, given in seconds or as a date, to milliseconds from `nowMs`; undefined if it is absent or
 * invalid.
 */
export function parseRetryAfterMs(value: string | undefined, nowMs = Date.now()): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
