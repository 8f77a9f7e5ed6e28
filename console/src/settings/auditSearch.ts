/** What the address of the audit log holds. */
export interface AuditSearch {
  /** Who acted: a kind such as `key`, or `person:<id>`. */
  readonly actor?: string | undefined;
  /** Type of the objects that were acted on, such as `api_key`. */
  readonly action?: string | undefined;
  /** First and last day, as 2026-03-31. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** Reads the address of the audit log. What it cannot mean is left out. */
export function readAuditSearch({ actor, action, since, until }: Readonly<Record<string, unknown>>): AuditSearch {
  const text = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
  const day = (value: unknown) => (typeof value === 'string' && DAY.test(value) ? value : undefined);
  return { actor: text(actor), action: text(action), since: day(since), until: day(until) };
}

/** Returns the query of the API: from the beginning of the first day to the end of the last one, in the zone of the reader. */
export function toAuditQuery({ actor, action, since, until }: AuditSearch) {
  const end = until === undefined ? undefined : new Date(`${until}T00:00:00`);
  end?.setDate(end.getDate() + 1);
  return {
    ...(actor !== undefined && { actor }),
    ...(action !== undefined && { action }),
    ...(since !== undefined && { since: new Date(`${since}T00:00:00`).toISOString() }),
    ...(end && { until: end.toISOString() }),
  };
}
