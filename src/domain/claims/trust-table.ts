import { isPlainObject } from '#domain/observation/value-issue.js';
import { defaultRules } from './default-rules.js';
import { type HalfLives, withHalfLives } from './half-lives.js';
import type { ClaimRules, EvidenceClass, TrustRow } from './rules.js';
import type { TrustProblem } from './trust-problem.js';

/** Maximum number of trust rows that a workspace may set. */
export const MAX_TRUST_ROWS = 200;

const CLASSES: readonly EvidenceClass[] = ['asserted', 'observed', 'reported', 'inferred'];
const MATCH = /^(?:\*|[a-z0-9][a-z0-9_.-]*(?::[a-z0-9_.:-]+)?)\/(?:\*|[a-z0-9][a-z0-9_.-]*(?::[a-z0-9_.:-]+)?)$/;
const MAX_MATCH_LENGTH = 200;

/** Parses the trust rows that a workspace sets. Returns all problems found. */
export function parseTrustRows(value: unknown): { rows: TrustRow[]; problems: TrustProblem[] } {
  if (!Array.isArray(value) || value.length > MAX_TRUST_ROWS) {
    const message = `trust must be a list of at most ${MAX_TRUST_ROWS} rows {match, r, class}.`;
    return { rows: [], problems: [{ field: 'trust', message }] };
  }
  const problems = value.flatMap((row, i) => validateTrustRow(row, `trust[${i}]`));
  const rows = problems.length > 0 ? [] : value.map(({ match, r, class: grade }) => ({ match, r, class: grade }));
  const twice = rows.find((row, i) => rows.findIndex(({ match }) => match === row.match) < i);
  if (twice) problems.push({ field: 'trust', message: `There are two rows for "${twice.match}"; send one.` });
  return { rows, problems };
}

/**
 * Returns the default rules with these rows replacing those of the same match or added to them, and with these
 * half-lives.
 */
export function withTrustRows(rows: readonly TrustRow[], version: number, halfLives: HalfLives = {}): ClaimRules {
  const own = new Map(rows.map(row => [row.match, row]));
  const usual = defaultRules.trust.filter(({ match }) => !own.has(match));
  const kept = rows.map(row => ({ ...defaultRules.trust.find(({ match }) => match === row.match), ...row }));
  const properties = withHalfLives(defaultRules, halfLives);
  return { ...defaultRules, version: `workspace@${version}`, trust: [...usual, ...kept], properties };
}

function validateTrustRow(row: unknown, field: string): TrustProblem[] {
  const { match, r, class: grade, ...rest } = isPlainObject(row) ? row : {};
  const problems: TrustProblem[] = Object.keys(rest).map(name => ({
    field: `${field}.${name}`,
    message: `"${name}" is not a field here; there are match, r and class.`,
  }));
  if (typeof match !== 'string' || match.length > MAX_MATCH_LENGTH || !MATCH.test(match)) {
    problems.push({ field: `${field}.match`, message: 'match looks like "crm/*", "crm:hubspot/sync" or "*/rules".' });
  }
  if (typeof r !== 'number' || !(r >= 0 && r <= 1)) {
    problems.push({ field: `${field}.r`, message: 'r must be a number from 0 to 1.' });
  }
  if (!CLASSES.some(name => name === grade)) {
    problems.push({ field: `${field}.class`, message: `class must be one of ${CLASSES.join(', ')}.` });
  }
  return problems;
}
