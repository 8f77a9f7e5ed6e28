import { foldLetters } from '../comparison/canonical-key.js';
import type { JsonValue } from '../observation/observation.js';
import type { RawRule } from './compose-model.js';
import { type Finding, findConditions } from './description-findings.js';
import { type DescriptionPart, splitParts, splitDescription } from './description-parts.js';
import { PlacedWords } from './description-tokens.js';
import { GENERIC_WORDS } from './vocabulary.data.js';

/** Rules parsed from a description of the ideal customer. */
export interface IcpDescription {
  readonly fit: readonly RawRule[];
  readonly pain: readonly RawRule[];
  /** Words that no rule was made of. */
  readonly unread: readonly string[];
}

/** Weights of wanted properties in Fit. */
const WEIGHTS: Readonly<Record<string, number>> = {
  industry: 3,
  headcount: 3,
  revenue: 2,
  title: 3,
  seniority: 2,
  technologies: 2,
  country: 1,
};

/** Weight of what is only preferred, as a share. */
const PREFERENCE_SHARE = 0.5;

const MAX_QUOTE_LENGTH = 200;
const MAX_UNREAD_LENGTH = 120;
const MAX_PAIN_WORDS = 80;

const PREFERENCE = /\b(?:ideally|preferably|prefer|bonus|nice to have|a plus)\b/i;
/** What is required: everything else is excluded. */
const REQUIREMENT = /\b(?:(?<!not )only|must|exclusively|strictly|required|has to|have to|need to be|needs to be)\b/i;
const REQUIRED_PROPERTIES: ReadonlySet<string> = new Set(['industry', 'country', 'headcount', 'revenue']);

const PAIN =
  /\b(?:struggl(?:e|es|ing) (?:with|to)|suffer(?:s|ing)? from|pains?:|problems? (?:with|is|are):?|challenges? (?:with|is|are|around):?|frustrated (?:by|with)|tired of|fed up with) ?([^.;!?]{3,200})/i;
const PAIN_SEPARATOR = /, (?:and |or )?| (?:and|or) /;

/** A rule that was read, before rules of one property are joined. */
interface ReadRule {
  readonly rule: RawRule;
  readonly isRequired: boolean;
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
  for (const sentence of splitDescription(text)) {
    const { rest, pains } = takePains(sentence);
    pain.push(...pains);
    for (const part of splitParts(rest)) {
      const found = findConditions(part.text, part.isExclusion);
      unread.push(...findUnread(part, found));
      if (part.isExclusion) excluded.push(...toExclusions(part, found));
      else wanted.push(...toWantedRules(part, found));
    }
  }
  const joined = joinWanted(wanted.map(({ rule }) => rule));
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
      rule: { ...condition, weight: WEIGHTS[String(condition['property'])]! * share, quote: toQuote(text) },
      isRequired: isRequired && REQUIRED_PROPERTIES.has(String(condition['property'])),
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

function joinValues(one: RawRule, other: RawRule): RawRule {
  const known = new Set((one['value'] as JsonValue[]).map(toFoldedText));
  const further = (other['value'] as JsonValue[]).filter(each => !known.has(toFoldedText(each)));
  const value = [...(one['value'] as JsonValue[]), ...further];
  const isSameQuote = one['quote'] === other['quote'] || other['quote'] === undefined;
  const quote = isSameQuote ? one['quote'] : toQuote(`${String(one['quote'])} … ${String(other['quote'])}`);
  return { ...one, value, ...(quote !== undefined && { quote }) };
}

function toFoldedText(value: JsonValue): string {
  return foldLetters(String(value));
}

/** Excludes what lacks a required property value. */
function toRequirements(joined: readonly RawRule[], wanted: readonly ReadRule[]): RawRule[] {
  const required = new Set(wanted.flatMap(({ rule, isRequired }) => (isRequired ? [rule['property']] : [])));
  return joined.flatMap(({ weight: _weight, slack: _slack, ...rule }) => {
    if (!required.has(rule['property']!)) return [];
    return invert(rule).map(inverse => ({ ...rule, ...inverse, disqualify: true }));
  });
}

function invert({ op, value }: RawRule): RawRule[] {
  const [least, most] = Array.isArray(value) ? (value as number[]) : [value as number, value as number];
  switch (op) {
    case 'gte':
      return [{ op: 'lte', value: least! - 1 }];
    case 'lte':
      return [{ op: 'gte', value: most! + 1 }];
    case 'between':
      return [
        { op: 'lte', value: least! - 1 },
        { op: 'gte', value: most! + 1 },
      ];
    case 'not_in':
      return [{ op: 'in' }];
    default:
      return [{ op: 'not_in' }];
  }
}

const BREAK = /[,;/&]|\b(?:or|nor|and)\b/i;
const AND = /\band\b/i;
const GENERIC_HEAD =
  /\b(?:compan(?:y|ies)|firms?|business(?:es)?|any(?:one|body)|organi[sz]ations?|orgs?|vendors?|start-?ups?|people|those)\b/i;

/**
 * Returns a rule for each alternative of an exclusion. Kinds that are listed share what narrows them: `agencies or
 * consultancies under 20 people`; a further kind with its own words does not: `agencies in Spain or companies under 20
 * people`.
 */
function toExclusions({ text }: DescriptionPart, found: readonly Finding[]): RawRule[] {
  const groups: RawRule[][] = [];
  let end = 0;
  for (const { start, end: next, kind, conditions } of found) {
    const gap = text.slice(end, start);
    end = next;
    const group = groups.at(-1);
    const last = group?.at(-1);
    const [first] = conditions;
    const [isBroken, isGeneric] = [BREAK.test(gap), GENERIC_HEAD.test(gap)];
    if (!group || !last) groups.push([...conditions]);
    else if (!isBroken || (kind === 'modifier' && AND.test(gap) && !isGeneric && !isSameList(last, first!))) {
      group.push(...conditions);
    } else if (!isGeneric && conditions.length === 1 && isSameList(last, first!)) {
      group[group.length - 1] = joinValues(last, first!);
    } else groups.push([...conditions]);
  }
  return groups.map(([first, ...and]) => ({
    ...withoutSlack(first!),
    disqualify: true,
    ...(and.length > 0 && { and: and.map(withoutSlack) }),
    quote: toQuote(text),
  }));
}

function isSameList(one: RawRule, other: RawRule): boolean {
  return (
    one['property'] === other['property'] &&
    one['op'] === other['op'] &&
    Array.isArray(other['value']) &&
    one['op'] !== 'between'
  );
}

/** An exclusion holds in full or not at all. */
function withoutSlack({ slack: _slack, ...condition }: RawRule): Record<string, JsonValue> {
  return condition;
}

const generic: ReadonlySet<string> = new Set(GENERIC_WORDS.split(' '));
const MIN_UNREAD_LENGTH = 3;

/** Returns the words between the findings that say something else. */
function findUnread({ text, isExclusion }: DescriptionPart, found: readonly Finding[]): string[] {
  const ranges = [...found, { start: text.length, end: text.length }];
  const rests: string[] = [];
  let from = 0;
  for (const { start, end } of ranges) {
    const rest = text.slice(from, start);
    from = end;
    const words = new PlacedWords(rest);
    const content = words.words.flatMap((word, i) => (generic.has(word) ? [] : [i]));
    if (content.length === 0) continue;
    const [first, last] = [content[0]!, content.at(-1)!];
    const piece = found.length === 0 && !isExclusion ? text : words.quote(first, last - first + 1);
    if (piece.length >= MIN_UNREAD_LENGTH) rests.push(piece.slice(0, MAX_UNREAD_LENGTH));
  }
  return rests;
}

function toQuote(text: string): string {
  return text.length > MAX_QUOTE_LENGTH ? `${text.slice(0, MAX_QUOTE_LENGTH - 1)}…` : text;
}
