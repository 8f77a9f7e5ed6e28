import type { RawRule } from '#domain/icp/compose-model.js';
import { parseDescription } from '#domain/icp/parse-description.js';
import { vectorsOf } from './vectors.ts';

/** A description of an ideal customer, and what a reader takes from it. */
export interface JudgedDescription {
  readonly text: string;
  readonly fit?: readonly string[];
  readonly excluded?: readonly string[];
  readonly pain?: readonly string[];
  readonly unread?: readonly string[];
}

/** Reads the descriptions that were judged by hand. */
export function readJudgedDescriptions(): JudgedDescription[] {
  return vectorsOf<JudgedDescription>('icp/descriptions');
}

/** Returns what was read of a description, in the notation of the judgements. */
export function summarizeDescription(text: string): Required<JudgedDescription> {
  const { fit, pain, unread } = parseDescription(text);
  const excludes = (rule: RawRule) => rule['disqualify'] === true;
  return {
    text,
    fit: fit.filter(rule => !excludes(rule)).map(formatRule),
    excluded: fit.filter(excludes).map(formatRule),
    pain: pain.flatMap(({ match }) => (match as { keyword: string[] }).keyword),
    unread,
  };
}

function formatRule(rule: RawRule): string {
  const and = (rule['and'] ?? []) as RawRule[];
  return [rule, ...and].map(formatCondition).join(' & ');
}

function formatCondition({ property, op, value }: RawRule): string {
  const list = [value].flat();
  switch (op) {
    case 'between':
      return `${String(property)} ${list.join('..')}`;
    case 'gte':
      return `${String(property)} >=${String(value)}`;
    case 'lte':
      return `${String(property)} <=${String(value)}`;
    case 'not_in':
      return `${String(property)} not ${list.join('|')}`;
    default:
      return `${String(property)} ${list.join('|')}`;
  }
}
