/**
 * Options of `retract`.
 * @example { after: run.state?.after, reason: 'The wrong file was imported.' }
 */
export interface RetractOptions {
  /** `next` of the previous page. Default: the beginning. */
  readonly after?: string;
  /** Time before which the source stated nothing, ISO 8601; makes the search shorter. */
  readonly since?: string;
  /** Shown to users with the retraction. */
  readonly reason?: string;
  /** 1 to 1000 rows. Default: 1000. */
  readonly limit?: number;
  /** Counts what the call would retract, and changes nothing. Default: false. */
  readonly dryRun?: boolean;
}

/**
 * What one page of a retraction has withdrawn.
 * @example if (page.next === null) return run.done(counts);
 */
export interface RetractResult {
  readonly observations: number;
  readonly notes: number;
  /** Leads that were removed because the source had added them and nobody has worked them. */
  readonly leads: number;
  /** People and companies that disappear because nothing else is known about them. */
  readonly entities_removed: number;
  /** The value of `after` for the next page; null if everything is retracted. */
  readonly next: string | null;
}
