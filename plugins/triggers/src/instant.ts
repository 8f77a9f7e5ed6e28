const ISO = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

/** A date or a time in ISO 8601, which is UTC unless it says otherwise, as UTC with milliseconds; undefined for what is none. */
export function parseInstant(text: string): string | undefined {
  const [match, zone] = ISO.exec(text) ?? [];
  if (match === undefined) return undefined;
  const at = Date.parse(match.includes('T') && zone === undefined ? `${match}Z` : match);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
