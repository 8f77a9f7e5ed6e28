import type { ExtractionContext, Match, ExtractionRule } from '../extraction.js';
import { checkNamedSubject } from '../review-rules.js';

const COMPETITOR_CUE =
  /\b(?:us(?:e|es|ing)|with|on|from|against|vs\.?|versus|evaluat\w+|consider\w+|compar\w+|looking at|looked at|talk\w* to|trial\w*|chose|renew\w*|alternative to|replac\w+|demo(?:s|ed|ing)?|quotes? from|shortlist\w*)\s+(?:[\w,'&.-]+\s+){0,3}$/i;
const TECHNOLOGY_CUE =
  /\b(?:us(?:e|es|ing)|runs?|running|built|based|live|works?|working|stack is|stack includes|integrat\w+ (?:with|into)|powered by|migrated to|moved to|switched to|rolled out|have|has|on)\s+(?:[\w,'&.-]+\s+){0,3}$/i;
const DROPPED_CUE = /\b(?:no longer us(?:es?|ing)|stopped using|moved off|got rid of|abandoned|dropped)\s+$/i;
const MAX_CASE_SENSITIVE_LENGTH = 3;

/** Finds mentions of the workspace's competitors and technologies. */
export const knownNamesRule: ExtractionRule = {
  id: 'names',
  find: (sentence, context) => [
    ...findMentions(sentence, context, 'competitors', COMPETITOR_CUE),
    ...findMentions(sentence, context, 'technologies', TECHNOLOGY_CUE),
  ],
};

function findMentions(
  sentence: string,
  context: ExtractionContext,
  property: 'competitors' | 'technologies',
  cue: RegExp,
): Match[] {
  const lower = sentence.toLowerCase();
  return context[property].flatMap((name): Match[] => {
    // Hardly any of hundreds of names occurs in a sentence, and a substring search is cheaper than a pattern.
    const match = lower.includes(firstWord(name)) ? buildNamePattern(name)?.exec(sentence) : undefined;
    if (!match) return [];
    const before = sentence.slice(0, match.index);
    const [dropped, cued] = [DROPPED_CUE.exec(before), cue.exec(before)];
    const span = { start: (dropped ?? cued ?? match).index, end: match.index + match[0].length };
    if (dropped)
      return [
        { property, value: { $end: name }, ...span, negated: true, reviewReason: checkOther(sentence, name, context) },
      ];
    return [
      {
        property,
        value: name,
        ...span,
        future: true,
        reviewReason: cued ? checkOther(sentence, name, context) : 'mere_mention',
      },
    ];
  });
}

/** A sentence that begins with the mentioned name itself is not about somebody else. */
function checkOther(sentence: string, name: string, context: ExtractionContext): Match['reviewReason'] {
  return sentence.toLowerCase().startsWith(firstWord(name)) ? undefined : checkNamedSubject(sentence, context);
}

/** Short names are case-sensitive: `Gem` is not "gem". */
function buildNamePattern(name: string): RegExp | undefined {
  const plain = name.trim();
  if (plain.length < 2) return undefined;
  const escaped = plain.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
  return new RegExp(
    `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`,
    plain.length <= MAX_CASE_SENSITIVE_LENGTH + 1 ? 'u' : 'iu',
  );
}

function firstWord(name: string): string {
  return name.trim().toLowerCase().split(/\s+/, 1)[0]!;
}
