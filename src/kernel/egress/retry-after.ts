/** Milliseconds that a `Retry-After` asks for, as seconds or as a date; undefined for none and for what is neither. */
export function parseRetryAfterMs(value: string | undefined, nowMs = Date.now()): number | undefined {
  const text = value?.trim() ?? '';
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = /[a-z]{3}/i.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
