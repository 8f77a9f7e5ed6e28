import type { RawRule } from './compose-model.js';
import { findContent } from './description-content.js';
import type { Finding } from './description-findings.js';
import { invertCondition, isSameList, joinValues, toQuote, withoutSlack } from './raw-rules.js';

/** The rules of an exclusion, and the findings that they were made of. */
export interface ReadExclusion {
  readonly rules: readonly RawRule[];
  readonly used: readonly Finding[];
}

const BREAK = /[,;/&]|\b(?:or|nor|and)\b/i;
const LAST_BREAK = /^.*(?:[,;/&]|\b(?:or|nor|and)\b)/i;
const AND = /\band\b/i;
const UNLESS = /\bunless\b/i;
const GENERIC_HEAD =
  /\b(?:compan(?:y|ies)|firms?|business(?:es)?|any(?:one|body)|organi[sz]ations?|orgs?|vendors?|start-?ups?|people|those)\b/i;

/** What is excluded together. */
interface Alternative {
  readonly conditions: RawRule[];
  readonly findings: Finding[];
  /** Whether words that were not understood narrow it. */
  isUnclear: boolean;
}

/**
 * Returns a rule for each alternative of an exclusion. Kinds that are listed share what narrows them: `agencies or
 * consultancies under 20 people`; a further kind with its own words does not: `agencies in Spain or companies under 20
 * people`. An alternative with words that were not understood gives none: `no dental practices under 20 people` must not
 * exclude every small company, nor `no big agencies` all agencies.
 */
export function readExclusion(text: string, found: readonly Finding[]): ReadExclusion {
  const alternatives: Alternative[] = [];
  let end = 0;
  for (const finding of found) {
    const gap = text.slice(end, finding.start);
    end = finding.end;
    const last = alternatives.at(-1);
    const isNew = !addTo(last, finding, gap);
    const [before = gap, after] = BREAK.test(gap) ? [gap.replace(LAST_BREAK, ''), gap.split(BREAK)[0]!] : [gap, gap];
    if (last && findContent(after) !== undefined) last.isUnclear = true;
    const isUnclear = findContent(before) !== undefined;
    if (isNew) alternatives.push({ conditions: toConditions(finding, gap), findings: [finding], isUnclear });
    else last!.isUnclear ||= isUnclear;
  }
  const rest = alternatives.at(-1);
  if (rest && findContent(text.slice(end).split(BREAK)[0]!) !== undefined) rest.isUnclear = true;
  const clear = alternatives.filter(({ isUnclear }) => !isUnclear);
  return {
    rules: clear.map(({ conditions: [first, ...and] }) => ({
      ...withoutSlack(first!),
      disqualify: true,
      ...(and.length > 0 && { and: and.map(withoutSlack) }),
      quote: toQuote(text),
    })),
    used: clear.flatMap(({ findings }) => findings),
  };
}

/** Adds a finding to the alternative before it. Returns whether it belongs there. */
function addTo(alternative: Alternative | undefined, finding: Finding, gap: string): boolean {
  const last = alternative?.conditions.at(-1);
  if (!alternative || !last) return false;
  const conditions = toConditions(finding, gap);
  const [first] = conditions as [RawRule];
  const isGeneric = GENERIC_HEAD.test(gap);
  const isFurther = finding.kind === 'modifier' && AND.test(gap) && !isGeneric && !isSameList(last, first);
  if (!BREAK.test(gap) || isFurther) alternative.conditions.push(...conditions);
  else if (!isGeneric && conditions.length === 1 && isSameList(last, first)) {
    alternative.conditions[alternative.conditions.length - 1] = joinValues(last, first);
  } else return false;
  alternative.findings.push(finding);
  return true;
}

/** `no consultancies unless they have more than 50 people` excludes those with 50 and fewer. */
function toConditions({ conditions }: Finding, gap: string): RawRule[] {
  return UNLESS.test(gap) ? conditions.flatMap(invertCondition) : [...conditions];
}
