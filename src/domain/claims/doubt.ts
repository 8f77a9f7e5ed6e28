import { parseEmail, findWorkDomain } from '../identity/email.js';
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

/** Which sources state a fact that belongs to a job, and since when; of an address, also whether it is dead. */
export interface JobFact {
  /** Absent for an address at a mail provider, which stays when the job changes. */
  readonly by?: readonly Run[];
  /** When mail to the address bounced, as far as nothing has shown since that it works. */
  readonly bounced?: Instant;
}

/** The part of a claim that decides whether a fact is suspect at any age; null for a claim of which none is. */
export type TenureProjection = Tenure | JobFact | null;

/** Projects the state of a claim for {@link findDoubt}. */
export function projectTenure(property: string, state: PropertyState): TenureProjection {
  const [track] = state.tracks;
  if (!track) return null;
  if (property === EMPLOYER_PROPERTY) return projectEmployer(track);
  if (!JOB_PROPERTIES.has(property) || track.newest.value === null) return null;
  const bounced = typeof state.bouncedAt === 'number' ? { bounced: state.bouncedAt } : undefined;
  if (isPrivateAddress(track.newest.value)) return bounced ?? null;
  return { by: listPresentSupporters(track).map(({ last, since }): Run => [last.source, since, last.t]), ...bounced };
}

/** Why a fact is suspect although its age is no reason, and since when. */
export interface Doubt {
  readonly kind: 'bounced' | 'earlier_job';
  readonly since: Instant;
}

/**
 * Returns why a fact is suspect at any age: mail to the address bounced, or it was stated for an earlier job.
 * @param employer projection of the claim `company` of the same person.
 */
export function findDoubt(
  employer: TenureProjection | undefined,
  fact: TenureProjection | undefined,
): Doubt | undefined {
  if (fact && 'bounced' in fact && fact.bounced !== undefined) return { kind: 'bounced', since: fact.bounced };
  return isFromEarlierTenure(employer, fact) ? { kind: 'earlier_job', since: employer.from } : undefined;
}

/** Explains a doubt in one sentence. */
export function explainDoubt({ kind, since }: Doubt): string {
  const day = toIso(since).slice(0, 10);
  return kind === 'bounced'
    ? `Mail to this address bounced on ${day}; find another one, or record that it works again.`
    : `It was stated before the employer changed on ${day}; verify it for the new job.`;
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
  if (!employer || !fact || !('from' in employer) || !('by' in fact) || !fact.by) return false;
  const earliest = employer.from - SAME_CALL_US;
  return !fact.by.some(
    ([source, since, latest]) => since >= earliest || (latest >= earliest && !employer.not.includes(source)),
  );
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
