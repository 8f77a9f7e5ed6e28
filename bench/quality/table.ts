import { isDeepStrictEqual } from 'node:util';
import { defaultRules } from '#domain/claims/rules.js';
import { foldAll } from '#domain/claims/fold.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { Statement } from '#domain/claims/property-state.js';
import { keysAgree, saysMore, comparisonKey, type ComparisonType } from '#domain/comparison/comparison-key.js';
import { computeLikeness, type LikenessSide } from '#domain/identity/likeness.js';
import { computeDigest, type JsonValue } from '#domain/observation/observation.js';
import { parseInstant } from '#domain/time/instant.js';
import { scoreJudgedLeads } from '../../test/support/judged-leads.ts';
import { vectorsOf } from '../../test/support/vectors.ts';
import { readJudgedDescriptions, summarizeDescription } from '../../test/support/icp-descriptions.ts';
import { judgedTexts, measureExtraction } from './extraction.ts';

/** One line of the table of quality. */
export interface QualityRow {
  readonly measure: string;
  readonly cases: number;
  readonly figure: number;
  /** What the figure must reach; `=` 0 for counts of errors. */
  readonly goal: string;
  readonly reached: boolean;
}

/** Returns a line whose figure must be at least `goal`. */
export function atLeast(measure: string, cases: number, figure: number, goal: number): QualityRow {
  return { measure, cases, figure, goal: `>= ${goal}`, reached: figure >= goal };
}

/** Returns a line whose count of errors must be 0. */
export function none(measure: string, cases: number, figure: number): QualityRow {
  return { measure, cases, figure, goal: '0', reached: figure === 0 };
}

/** Measures what needs no database: claims, comparison, likeness and open text. */
export function measureDomain(): QualityRow[] {
  return [
    ...measureClaims(),
    ...measureComparison(),
    ...measureLikeness(),
    ...measureText(),
    ...measureDescriptions(),
    ...measureScoring(),
  ];
}

/** Formats lines as a table in Markdown. Counts have no decimals. */
export function formatTable(rows: readonly QualityRow[]): string {
  const cells = rows.map(({ measure, cases, figure, goal, reached }) => [
    measure,
    String(cases),
    goal === '0' ? String(figure) : figure.toFixed(3),
    goal,
    reached ? 'yes' : 'no',
  ]);
  const head = ['measure', 'cases', 'figure', 'goal', 'reached'];
  return [head, head.map(() => '---'), ...cells].map(row => `| ${row.join(' | ')} |`).join('\n');
}

interface ClaimVector {
  readonly property: string;
  readonly observations: readonly { value: JsonValue; source: string; method: string; observed_at: string }[];
  /** Fields of the claim with their values, and the values before. */
  readonly claim: Readonly<Record<string, JsonValue>>;
}

/** Golden vectors have a confidence; stories say how fresh the claim is and what it rests on. */
function measureClaims(): QualityRow[] {
  const vectors = [...vectorsOf<ClaimVector>('claims/derivation'), ...vectorsOf<ClaimVector>('claims/stories')];
  const asOf = parseInstant('2026-11-20')!;
  const right = vectors.filter(({ property, observations, claim }) => {
    const log = observations.map(({ observed_at, ...message }, i): Statement => {
      const content = { property, ...message, observedAt: parseInstant(observed_at)! };
      return { id: String(i), ...content, digest: computeDigest(content), event: false };
    });
    const shown = toClaim(defaultRules, property, foldAll(defaultRules, property, log, asOf), asOf, {});
    const expected = Object.entries(claim).filter(([field]) => field !== 'history');
    return expected.every(([field, value]) => isDeepStrictEqual(shown?.[field as keyof typeof shown], value));
  });
  return [atLeast('lifecycle of a claim', vectors.length, right.length / vectors.length, 1)];
}

function measureDescriptions(): QualityRow[] {
  const judged = readJudgedDescriptions();
  const right = judged.filter(each => {
    const expected = { fit: [], excluded: [], pain: [], unread: [], ...each };
    return isDeepStrictEqual(summarizeDescription(each.text), expected);
  });
  return [atLeast('ideal customers read from words', judged.length, right.length / judged.length, 0.95)];
}

function measureScoring(): QualityRow[] {
  const verdicts = scoreJudgedLeads();
  const right = verdicts.filter(({ judged, scored }) => judged === scored);
  return [atLeast('leads in the right band', verdicts.length, right.length / verdicts.length, 0.91)];
}

interface RelationVector {
  readonly type: ComparisonType;
  readonly one: JsonValue;
  readonly other: JsonValue;
  readonly relation: 'same' | 'says_more' | 'different';
}

function measureComparison(): QualityRow[] {
  const vectors = vectorsOf<RelationVector>('comparison/relations');
  const right = vectors.filter(({ type, one, other, relation }) => {
    const [first, second] = [comparisonKey(type, one), comparisonKey(type, other)];
    const agrees = keysAgree(first, second);
    if (relation === 'different') return !agrees;
    return agrees && (relation !== 'says_more' || saysMore(first, second));
  });
  return [atLeast('values compared by type', vectors.length, right.length / vectors.length, 0.97)];
}

interface LikenessVector {
  readonly type: LikenessSide['type'];
  readonly one: Partial<LikenessSide>;
  readonly other: Partial<LikenessSide>;
  readonly proposed: boolean;
}

function measureLikeness(): QualityRow[] {
  const vectors = vectorsOf<LikenessVector>('identity/likeness');
  const judged = vectors.map(({ type, one, other, proposed }) => ({
    proposed,
    found: computeLikeness(toSide(type, one), toSide(type, other)).isProposed,
  }));
  const found = judged.filter(each => each.found);
  const right = found.filter(({ proposed }) => proposed).length;
  const pairs = judged.filter(({ proposed }) => proposed).length;
  return [
    atLeast('pairs proposed: precision', vectors.length, right / found.length, 0.98),
    atLeast('pairs proposed: recall', pairs, right / pairs, 0.8),
  ];
}

function toSide(type: LikenessSide['type'], given: Partial<LikenessSide>): LikenessSide {
  return { type, name: null, emails: [], linkedins: [], phones: [], employer: null, domains: [], ...given };
}

function measureText(): QualityRow[] {
  const [hard, ordinary] = [measureExtraction(judgedTexts('hard')), measureExtraction(judgedTexts('ordinary'))];
  return [
    none('hard sentences: false facts', hard.cases, hard.wrong.length),
    atLeast('ordinary sentences: precision', ordinary.cases, ordinary.precision, 0.98),
    atLeast('ordinary sentences: recall', ordinary.cases, ordinary.recall, 0.75),
  ];
}
