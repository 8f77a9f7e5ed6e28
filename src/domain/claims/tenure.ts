import { parseEmail } from '../identity/email.js';
import { findWorkDomain } from '../identity/mailboxes.js';
import type { JsonValue } from '../observation/observation.js';
import { type Instant, toIso } from '../time/instant.js';
import type { PropertyState, Track } from './property-state.js';
import { isTentativeTrack, listOpponents, listPresentSupporters } from './track.js';

/** The property that states the employer of a person. */
export const EMPLOYER_PROPERTY = 'company';

/** Properties that belong to a job: with a new employer they are no longer known. */
export const JOB_PROPERTIES: ReadonlySet<string> = new Set([
  'title',
  'seniority',
  'department',
  'email',
  'work_email',
  'phone',
  'work_phone',
  'office_phone',
  'direct_phone',
  'business_phone',
]);

/** Observations of one call are a microsecond apart, and a call has at most a thousand. */
export const SAME_CALL_US = 1000;

/** A source with the start of its present run of one value, and its latest statement of it. */
type Run = readonly [source: string, since: Instant, latest: Instant];

/** The present job, of the claim `company`. */
export interface Tenure {
  /** When it began, or when the last one ended. */
  readonly from: Instant;
  /** Sources that still state another employer. */
  readonly not: readonly string[];
}

/** Which sources state a fact that belongs to a job, and since when. */
export interface JobFact {
  readonly by: readonly Run[];
}

/** The part of a claim that decides whether a fact belongs to an earlier job; null for every other claim. */
export type TenureProjection = Tenure | JobFact | null;

/** Projects the state of a claim for {@link isFromEarlierTenure}. */
export function projectTenure(property: string, state: PropertyState): TenureProjection {
  const [track] = state.tracks;
  if (!track) return null;
  if (property === EMPLOYER_PROPERTY) return projectEmployer(track);
  if (!JOB_PROPERTIES.has(property) || track.newest.value === null) return null;
  if (isPrivateAddress(track.newest.value)) return null;
  return { by: listPresentSupporters(track).map(({ last, since }): Run => [last.source, since, last.t]) };
}

/**
 * Returns whether a fact was stated for an earlier job: no source began to state it in this one, and none that knows of
 * this one repeated it. A first employer starts no new tenure, because it says nothing about an earlier one.
 * @param employer projection of the claim `company` of the same person.
 */
export function isFromEarlierTenure(
  employer: TenureProjection | undefined,
  fact: TenureProjection | undefined,
): employer is Tenure {
  if (!employer || !fact || !('from' in employer) || !('by' in fact)) return false;
  const earliest = employer.from - SAME_CALL_US;
  return !fact.by.some(
    ([source, since, latest]) => since >= earliest || (latest >= earliest && !employer.not.includes(source)),
  );
}

/** Explains why a fact is suspect. */
export function explainEarlierTenure(employer: Tenure): string {
  return `It was stated before the employer changed on ${toIso(employer.from).slice(0, 10)}; verify it for the new job.`;
}

function projectEmployer(track: Track): Tenure | null {
  if (isTentativeTrack(track)) return null;
  const hadEmployer = track.periods > track.history.length || track.history.some(period => !period.isTentative);
  if (!hadEmployer && track.newest.value !== null) return null;
  const not = listOpponents(track).map(({ last }) => last.source);
  return { from: track.from, not };
}

/** An address at a mail provider stays when the job changes. */
function isPrivateAddress(value: JsonValue): boolean {
  const email = typeof value === 'string' && value.includes('@') ? parseEmail(value) : undefined;
  return email !== undefined && 'host' in email && findWorkDomain(email) === undefined;
}
