import { toSeniorityRank } from '../score/seniority.js';
import type { RawRule } from './compose-model.js';
import { findContent } from './description-content.js';
import { readExclusion } from './description-exclusions.js';
import { type Finding, findConditions } from './description-findings.js';
import { type DescriptionPart, splitParts, splitDescription } from './description-parts.js';
import { invertCondition, isSameList, joinValues, toQuote } from './raw-rules.js';

/** Rules parsed from a description of the ideal customer. */
export interface IcpDescription {
  readonly fit: readonly RawRule[];
  readonly pain: readonly RawRule[];
  /** Words that no rule was made of. */
  readonly unread: readonly string[];
}

/** Weight of each wanted property in Fit. */
const WEIGHT = 3;

/** Weight of what is only preferred, as a share. */
const PREFERENCE_SHARE = 0.5;

const MAX_UNREAD_LENGTH = 120;
/** Maximum number of parts that are read. A model has 100 rules at most. */
const MAX_PARTS = 500;
const MAX_PAIN_WORDS = 80;

const PREFERENCE = /\b(?:ideally|preferably|prefer|bonus|nice to have|a plus)\b/i;
/** What is required: everything else is excluded. */
const REQUIREMENT = /\b(?:(?<!not )only|must|exclusively|strictly|required|has to|have to|need to be|needs to be)\b/i;
const REQUIRED_PROPERTIES: ReadonlySet<string> = new Set(['industry', 'country', 'headcount', 'revenue']);

const PAIN =
  /\b(?:struggl(?:e|es|ing) (?:with|to)|suffer(?:s|ing)? from|pains?:|problems? (?:with|is|are):?|challenges? (?:with|is|are|around):?|frustrated (?:by|with)|tired of|fed up with) ?([^.;!?]{3,200})/i;
const UNLESS = /\bunless\b/i;
const PAIN_SEPARATOR = /, (?:and |or )?| (?:and|or) /;

/** A rule that was read, before rules of one property are joined. */
interface ReadRule {
  readonly rule: RawRule;
  readonly isRequired: boolean;
  /** Set for a rank that was named without a function: `founders`. */
  readonly loneRank: string | undefined;
}

/**
 * Parses sizes, industries, countries, roles, technologies, pains and exclusions from plain text, without a language
 * model. Each rule has the words that it comes from as `quote`. What narrows an exclusion stays with it: `no agencies
 * with under 20 people` is one rule. Words that say nothing known are returned, not guessed.
 */
export function parseDescription(text: string): IcpDescription {
  const wanted: ReadRule[] = [];
  const excluded: RawRule[] = [];
  const pain: RawRule[] = [];
  const unread: string[] = [];
  let parts = 0;
  for (const sentence of splitDescription(text)) {
    const { rest, pains } = takePains(sentence);
    pain.push(...pains);
    for (const part of splitParts(rest)) {
      parts += 1;
      if (parts > MAX_PARTS)
        return toDescription(wanted, excluded, pain, [...unread, part.text.slice(0, MAX_UNREAD_LENGTH)]);
      const { text, unread: condition } = part.isExclusion ? { ...part, unread: [] } : cutCondition(part.text);
      const found = findConditions(text, part.isExclusion);
      const exclusion = part.isExclusion ? readExclusion(text, found) : undefined;
      unread.push(...findUnread({ ...part, text }, exclusion?.used ?? found), ...condition);
      if (exclusion) excluded.push(...exclusion.rules);
      else wanted.push(...toWantedRules(part, found));
    }
  }
  return toDescription(wanted, excluded, pain, unread);
}

function toDescription(
  wanted: readonly ReadRule[],
  excluded: readonly RawRule[],
  pain: readonly RawRule[],
  unread: readonly string[],
): IcpDescription {
  const loneRanks = wanted.flatMap(({ loneRank }) => loneRank ?? []);
  const joined = alignRoles(joinWanted(wanted.map(({ rule }) => rule)), loneRanks);
  return { fit: [...joined, ...excluded, ...toRequirements(joined, wanted)], pain, unread };
}

function takePains(sentence: string): { rest: string; pains: RawRule[] } {
  const match = PAIN.exec(sentence);
  if (!match) return { rest: sentence, pains: [] };
  const keywords = match[1]!.split(PAIN_SEPARATOR).map(words => words.trim().toLowerCase().slice(0, MAX_PAIN_WORDS));
  const pains = keywords.filter(words => words.length >= 3).map(words => ({ match: { keyword: [words] }, p: 0.5 }));
  return { rest: sentence.slice(0, match.index), pains };
}

function toWantedRules({ text }: DescriptionPart, found: readonly Finding[]): ReadRule[] {
  const share = PREFERENCE.test(text) ? PREFERENCE_SHARE : 1;
  const isRequired = REQUIREMENT.test(text);
  return found.flatMap(({ conditions }) =>
    conditions.map(condition => ({
      rule: { ...condition, weight: WEIGHT * share, quote: toQuote(text) },
      isRequired: isRequired && REQUIRED_PROPERTIES.has(String(condition['property'])),
      loneRank:
        conditions.length === 1 && condition['property'] === 'seniority'
          ? [condition['value']].flat().join()
          : undefined,
    })),
  );
}

/** Joins the values that several parts list for one property: `software` and `fintech` are alternatives. */
function joinWanted(wanted: readonly RawRule[]): RawRule[] {
  const joined: RawRule[] = [];
  for (const rule of wanted) {
    const at = joined.findIndex(other => isSameList(other, rule));
    if (at === -1) joined.push(rule);
    else joined[at] = joinValues(joined[at]!, rule);
  }
  return joined;
}

/** A wanted part is read up to `unless`: what it depends on is no rule by itself. */
function cutCondition(text: string): { text: string; unread: string[] } {
  const at = text.search(UNLESS);
  return at < 0 ? { text, unread: [] } : { text: text.slice(0, at), unread: [text.slice(at, at + MAX_UNREAD_LENGTH)] };
}

/** Words of ranks that a title is compared with. */
const RANK_TITLES: Readonly<Record<string, string>> = {
  founder: 'founder',
  c_level: 'chief',
  vp: 'vp',
  head: 'head',
  director: 'director',
  manager: 'manager',
};

/**
 * Makes the rules about ranks and titles alternatives of each other: of `founders, CEOs and heads of marketing`, a founder
 * has a wanted title, and a CEO a wanted rank.
 */
function alignRoles(rules: readonly RawRule[], loneRanks: readonly string[]): RawRule[] {
  const listOf = (property: string) => (rules.find(rule => rule['property'] === property)?.['value'] ?? []) as string[];
  const titles = listOf('title');
  if (titles.length === 0 || listOf('seniority').length === 0) return [...rules];
  const rankOfTitles = titles.map(toSeniorityRank).filter(rank => rank !== 'individual' && rank !== 'senior');
  const titleOfRanks = loneRanks.flatMap(rank => RANK_TITLES[rank] ?? []);
  const extra: Readonly<Record<string, readonly string[]>> = { seniority: rankOfTitles, title: titleOfRanks };
  return rules.map(rule => {
    const value = extra[String(rule['property'])];
    return value ? joinValues(rule, { value: [...value] }) : rule;
  });
}

/** Excludes what lacks a required property value. */
function toRequirements(joined: readonly RawRule[], wanted: readonly ReadRule[]): RawRule[] {
  const required = new Set(wanted.flatMap(({ rule, isRequired }) => (isRequired ? [rule['property']] : [])));
  return joined.flatMap(({ weight: _weight, ...rule }) => {
    if (!required.has(rule['property']!)) return [];
    return invertCondition(rule).map(inverse => ({ ...inverse, disqualify: true }));
  });
}

const MIN_UNREAD_LENGTH = 3;

/** Returns the words between the findings that say something else. */
function findUnread({ text, isExclusion }: DescriptionPart, found: readonly Finding[]): string[] {
  const rests: string[] = [];
  let from = 0;
  for (const { start, end } of [...found, { start: text.length, end: text.length }]) {
    const content = findContent(text.slice(from, start));
    from = end;
    if (content === undefined || content.length < MIN_UNREAD_LENGTH) continue;
    const piece = found.length === 0 && !isExclusion ? text : content;
    rests.push(piece.slice(0, MAX_UNREAD_LENGTH));
  }
  return rests;
}
