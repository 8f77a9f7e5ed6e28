/** What the address of an account holds. */
export interface AccountSearch {
  /** Property whose evidence is open. */
  readonly claim?: string | undefined;
  /** Day on which the account is shown, ISO 8601; undefined is now. */
  readonly as_of?: string | undefined;
  /** Time by which everything shown had been recorded, ISO 8601; undefined is now. */
  readonly known_at?: string | undefined;
  /** Identifier that the address had before it was merged into the account. */
  readonly merged?: string | undefined;
}

/** Reads the address of an account. What it cannot mean is left out, and never an error. */
export function readAccountSearch(search: Readonly<Record<string, unknown>>): AccountSearch {
  const { claim, as_of, known_at, merged } = search;
  return {
    claim: typeof claim === 'string' && claim !== '' ? claim : undefined,
    as_of: readTime(as_of),
    known_at: readTime(known_at),
    merged: typeof merged === 'string' && merged !== '' ? merged : undefined,
  };
}

function readTime(value: unknown): string | undefined {
  return typeof value === 'string' && Number.isFinite(Date.parse(value)) ? value : undefined;
}
