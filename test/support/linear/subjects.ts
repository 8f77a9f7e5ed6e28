// What the growth of is measured: every regular expression of the sources, and every scan of a text.
import { COMPANY_FACT_PATTERNS } from '#domain/extract/rules/company-facts.js';
import { ROLE_TRANSLATION_PATTERNS } from '#domain/extract/rules/role.js';
import { FOREIGN_HEDGE, FOREIGN_NEGATION, FOREIGN_PAST, THIRD_PARTY } from '#domain/extract/review-rules.js';
import { MAX_SENTENCE_LENGTH } from '#domain/extract/sentences.js';
import { MAX_PATTERN_LENGTH, MAX_MATCHED_TEXT_LENGTH, MAX_NUMBER_TEXT } from '#domain/score/match-rule.js';
import { type Attack, buildText, deriveAttacks } from './attack-strings.js';
import { findRegularExpressions, type FoundExpression } from './regular-expressions.js';
import { SCAN_ATTACKS, SCANS } from './scans.js';

/** Something that reads a text, and the texts on which it may be slow. */
export interface Subject {
  readonly name: string;
  readonly run: (text: string) => unknown;
  readonly attacks: () => readonly Attack[];
  /** The length at which the texts are cut before it reads them. Default: none. */
  readonly maxLength?: number;
}

/** Files whose expressions read texts of a bounded length only, and the bound. */
export const MAX_LENGTHS: Readonly<Record<string, number>> = {
  // `joined COMPANY as TITLE` looks for the end of the company from each `joined`.
  'src/domain/extract/rules/company-facts.ts': MAX_SENTENCE_LENGTH,
  'src/domain/extract/rules/role.ts': MAX_SENTENCE_LENGTH,
  'src/domain/score/match-rule.ts': Math.max(MAX_PATTERN_LENGTH, MAX_MATCHED_TEXT_LENGTH, MAX_NUMBER_TEXT),
};

/** Files whose expressions read nothing that comes from outside. */
export const TRUSTED: readonly string[] = [
  // The page of the package that shows the reference.
  'src/kernel/http/openapi/docs-page.ts',
];

/** Expressions that are made of values of the run time, by file, as they come out for typical values. */
export const DYNAMIC: Readonly<Record<string, readonly (readonly [source: string, flags: string])[]>> = {
  'src/domain/erasure/mentions.ts': [
    [
      String.raw`(?:(?<=%[0-9a-f]{2})|(?<![\p{L}\p{N}._%+-]))(?:aa(?:(?:\+|%2b)[^\s@%]{0,64})?(?:@|%40)aa\.com)(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`,
      'giu',
    ],
    [String.raw`(?:linkedin\.com(?:\/|%2f){1,2}in(?:\/|%2f)aa)(?![\p{L}\p{N}_-])`, 'giu'],
    [
      String.raw`(?<![0-9])(?:\+?[0-9]{1,4}[ ().\/-]{0,3}(?:[0-9]{1,2}[ ().\/-]{0,3})?)?(?:1[ ().\/-]{0,3}1[ ().\/-]{0,3}1)(?![0-9])`,
      'giu',
    ],
    [String.raw`(?<![\p{L}\p{N}])(?:aa[\s.,_+-]{1,3}aa)(?![\p{L}\p{N}])`, 'giu'],
  ],
  'src/domain/extract/review-rules.ts': [FOREIGN_NEGATION, FOREIGN_HEDGE, FOREIGN_PAST, THIRD_PARTY].map(listSource),
  'src/domain/extract/rules/company-facts.ts': COMPANY_FACT_PATTERNS.map(listSource),
  'src/domain/extract/rules/known-name-mentions.ts': [
    [String.raw`(?<![\p{L}\p{N}])Acme\s+Corp(?![\p{L}\p{N}])`, 'iu'],
    [String.raw`(?<![\p{L}\p{N}])aa(?![\p{L}\p{N}])`, 'u'],
  ],
  'src/domain/extract/rules/role.ts': ROLE_TRANSLATION_PATTERNS.map(listSource),
  'src/domain/icp/description-sizes.ts': [
    [String.raw`\bsales (?:leaders?|teams?|managers?|directors?|people)\b|\b(?:of|in|for)\s+sales\b`, 'i'],
    [String.raw`(?:\w\s+|^\s{2,})(?:and|or)\s+sales\b`, 'i'],
    [String.raw`(?<![\w-])financial services`, 'i'],
    [String.raw`\bit\b`, 'i'],
  ],
  'src/domain/score/match-rule.ts': [['a.*b.*c', 'iu']],
  'src/domain/text/words.ts': [['[ßøł]', 'gu']],
  'src/kernel/egress/redactor.ts': [[String.raw`sk_live_aaaaaaaa|aaaaaaab|\x61aaa`, 'g']],
  'src/sdk/resource.ts': [[String.raw`^acme:\/\/([^/]+)\/notes\/([^/]+)$`, '']],
};

/** Returns what is measured. */
export function subjectsOf(kind: 'expressions' | 'scans'): Subject[] {
  if (kind === 'scans') return SCANS.map(scan => ({ ...scan, attacks: () => SCAN_ATTACKS }));
  const dynamic = Object.entries(DYNAMIC).flatMap(([place, made]) =>
    made.map(([source, flags]) => ({ place, source, flags })),
  );
  return [...findRegularExpressions().expressions, ...dynamic]
    .filter(({ place }) => !TRUSTED.includes(fileOf(place)))
    .map(subjectFor);
}

function listSource({ source, flags }: RegExp): readonly [source: string, flags: string] {
  return [source, flags];
}

/** Returns the file of a place such as `src/x.ts:12`. */
export function fileOf(place: string): string {
  return place.replace(/:\d+$/, '');
}

/** Runs an expression once from the beginning and once over the whole text, as `matchAll`, `replaceAll` and `split` do. */
function subjectFor({ place, source, flags }: FoundExpression): Subject {
  const own = flags.replace(/[gy]/g, '');
  const [once, all] = [new RegExp(source, own), new RegExp(source, `${own}g`)];
  const maxLength = MAX_LENGTHS[fileOf(place)];
  return {
    name: `${place} /${source}/${flags}`,
    run: text => [once.exec(text), text.replace(all, '')],
    attacks: () => deriveAttacks(source, flags),
    ...(maxLength !== undefined && { maxLength }),
  };
}

/** Returns the text of an attack as the subject gets it. */
export function textFor({ maxLength }: Subject, attack: Attack, length: number): string {
  return buildText(attack, length).slice(0, maxLength);
}
