import type { Instant } from '../time/instant.js';
import { foldText } from '../comparison/canonical-key.js';
import type { ReviewReason, ExtractionContext, Match } from './extraction.js';

/** Returns a pattern of whole words in any script, regardless of case. */
function words(alternatives: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives})(?![\p{L}\p{N}])`, 'iu');
}

/** Negation in German, French and Spanish. It may follow what it denies. */
export const FOREIGN_NEGATION = words(
  String.raw`nicht|kein(?:e|en|er|em|es)?|nie|niemals|niemand|ohne|weder|ne|n'\p{L}+|pas|jamais|aucune?|sans|nunca|jamás|ningún|ninguna|nadie|sin|tampoco`,
);

/** Words by which a German, French or Spanish sentence leaves open whether it is so, or says so only of the future. */
export const FOREIGN_HEDGE = words(
  String.raw`vielleicht|wahrscheinlich|vermutlich|möglicherweise|eventuell|angeblich|wohl|anscheinend|offenbar|scheint|scheinen|könnte\p{L}*|würde\p{L}*|dürfte\p{L}*|soll(?:en|te|ten)?|glaub(?:e|t|en)|hoffentlich|wenn|falls|ob|sobald|sofern|möchte\p{L}*|wollen|plant|planen|wird|werden|laut|` +
    String.raw`peut-être|probablement|apparemment|paraît|semble(?:nt)?|serai(?:t|ent)|aurai(?:t|ent)|pourrai(?:t|ent)|devrai(?:t|ent)|selon|on dit|dit-on|si|s'il|s'ils|veut|veulent|envisage(?:nt)?|prévoi(?:t|ent)|` +
    String.raw`quizás?|tal vez|probablemente|posiblemente|parece|dicen|se dice|podría\p{L}*|sería\p{L}*|tendría\p{L}*|habría\p{L}*|supuestamente|creo que|quieren?|planean?|van? a`,
);

/** Words by which a German, French or Spanish sentence speaks of how things were. */
export const FOREIGN_PAST = words(
  String.raw`früher|damals|ehemals|ehemalige[rnms]?|war|waren|hatten?|letztes jahr|voriges jahr|` +
    String.raw`autrefois|auparavant|ancienne?|étai(?:t|ent)|avai(?:t|ent)|l'an dernier|l'année dernière|` +
    String.raw`antes|anteriormente|eran?|tenían?|solían?|el año pasado`,
);

/** People and companies that are related to the contact and not the contact. */
export const THIRD_PARTY = words(
  String.raw`competitors?(?:'s)?|suppliers?|vendors?|(?<!(?:as|is|are|be|a|an) )(?:customers?|clients?)(?:'s)?|brother|sister|husband|wife|friend|predecessor|successor|somebody|someone|a company|another company|companies|` +
    String.raw`konkurrent(?:en|in)?|wettbewerber|lieferant(?:en|in)?|kunden?|kundin|jemand|vorgänger(?:in)?|nachfolger(?:in)?|` +
    String.raw`concurrents?|fournisseurs?|quelqu'un|prédécesseur|competidor(?:es|a)?|proveedor(?:es|a)?|clientes?|alguien`,
);

/** A name starts at the first capital of its word: every later one would match the same end at the same cost again. */
const NAME = String.raw`I|[Ww]e|[Hh]e|[Ss]he|[Tt]hey|[Ww]ho|\p{Lu}(?<!\p{Lu}[\p{L}'-]*?\p{Lu})[\p{L}'-]*(?: \p{Lu}[\p{L}.'-]*){0,3}`;
/** An address after a name, bare or in brackets as mail programs write it. */
const ADDRESS_SUFFIX = String.raw`\s+[<(]?[^\s<>()@]{1,64}@[^\s<>()@]{1,255}[>)]?`;

/** Pattern of a grammatical subject: up to four capitalised words, optionally with an address, or a pronoun. */
export const SUBJECT_PATTERN = `(?<who>${NAME})(?:${ADDRESS_SUFFIX})?`;

const MIN_PARTIAL_LENGTH = 4;
const PRONOUN = /^(?:he|she|they|who)$/i;
const FIRST_PERSON = /^(?:i|we)$/i;

/**
 * Checks whether a sentence with this grammatical subject is about the contact. A missing subject is the contact: notes
 * are written so.
 */
export function checkSubject(who: string | undefined, context: ExtractionContext): ReviewReason | undefined {
  if (who === undefined || PRONOUN.test(who)) return undefined;
  if (FIRST_PERSON.test(who)) return context.isAuthor ? undefined : 'first_person';
  if (context.names.length === 0) return undefined;
  return namesOverlap(who, context.names) ? undefined : 'somebody_else';
}

/** Returns whether a name shares a word with any of the others. */
export function namesOverlap(name: string, others: readonly string[]): boolean {
  const words = others.flatMap(splitName);
  return splitName(name).some(word => words.some(known => known === word || isPartOf(word, known)));
}

/** Matches `lovelace` within `alovelace`, as in the local part of an address. */
function isPartOf(word: string, known: string): boolean {
  return word.length >= MIN_PARTIAL_LENGTH && known.includes(word);
}

function splitName(name: string): string[] {
  return foldText(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(word => word.length > 1);
}

const NEGATION =
  /\b(?:not|no|never|nobody|none|neither|nor|nothing|without|hardly|cannot|denie[sd]|deny|doubts?|refuse[sd]?|untrue|false|wrong|fails? to|failed to)\b|n't\b/i;
const HEDGE =
  /\b(?:might|could|maybe|perhaps|possibly|probably|likely|apparently|allegedly|reportedly|supposedly|rumou?r\w*|heard|seems?|seemed|guess|unsure|uncertain|hopefully|hop(?:e|es|ed|ing)|would|should|suppose|assum\w+|presumably|suspects?|wonder\w*|as if|pretend\w*|imagin\w+|according to|i think|we think|thinks|almost|nearly|claim(?:s|ed) (?:that|to|he|she|they|it)|(?:they|people|some) say|(?:somebody|someone|people|they|he|others) (?:sa(?:id|ys)|t(?:old|ells))|looks? like|sounds? (?:like|as)|belie(?:ve|ves|ved)|let's say|say,|expected to|supposed to|rumou?r|word (?:is|has it))\b/i;
/** The month is capitalised. */
const MAY = /\bmay\b(?! \d)/;
const CONDITION = /\b(?:if|unless|whether|once|until|till|as soon as|provided|in case|assuming|before|when)\b/i;
const PLAN =
  /\b(?:consider\w*|thinking (?:of|about)|plan(?:s|ned|ning)?(?: on| to)?|will|'ll|going to|gonna|wants? to|wanted to|hopes to|intends? to|about to|looking to|aim(?:s|ing)? to|expects? to|due to)\b/i;
const PAST =
  /\b(?:used to|formerly|previously|former|back then|at (?:the|that) time|in the past|years? ago|earlier in (?:his|her|their) career|historically|originally|until recently|had been|was once|were once|ex-)\b/i;

const YEAR = /\b(?:[Ii]n|[Dd]uring|of) (?:(?:early|late|mid|\p{Lu}\p{L}+)[ -])?(?<year>(?:19|20)\d\d)\b/gu;

/** Returns whether a sentence is about a year that was over when it was written, so that the fact may have ended. */
export function isFromEarlierYear(sentence: string, { start, end, future, past }: Match, at: Instant): boolean {
  if (future || past) return false;
  const around = `${sentence.slice(0, start)} … ${sentence.slice(end)}`;
  const now = new Date(at / 1000).getUTCFullYear();
  return [...around.matchAll(YEAR)].some(({ groups }) => Number(groups!['year']) < now);
}

/**
 * Returns why a find needs review because of its sentence. Words of the find itself are hidden from the checks they
 * would wrongly trigger: `no longer at Acme` denies nothing.
 */
export function findReviewReason(sentence: string, found: Match): ReviewReason | undefined {
  const before = sentence.slice(0, found.start);
  const within = sentence.slice(found.start, found.end);
  const around = `${before} … ${sentence.slice(found.end)}`;
  if (NEGATION.test(found.negated ? before : before + within)) return 'negated';
  if (/\bor not\b|\?\s*no\b|,\s*(?:or )?(?:not (?:true|yet)|just kidding)\b/i.test(sentence)) return 'negated';
  if (!found.question && /\?["')\]]*$/.test(sentence)) return 'question';
  const heard = found.modal ? around : sentence;
  if (HEDGE.test(heard) || MAY.test(heard) || CONDITION.test(before)) return 'hedged';
  if (!found.future && PLAN.test(before + (found.modal ? '' : within))) return 'hedged';
  if (!found.past && PAST.test(around)) return 'past';
  return findForeignReason(before, around, found) ?? (THIRD_PARTY.test(before) ? 'somebody_else' : undefined);
}

/** The same in German, French and Spanish, where a negation may follow its verb. */
function findForeignReason(before: string, around: string, found: Match): ReviewReason | undefined {
  if (FOREIGN_NEGATION.test(found.negated ? before : around)) return 'negated';
  if (FOREIGN_HEDGE.test(around)) return 'hedged';
  return !found.past && FOREIGN_PAST.test(around) ? 'past' : undefined;
}

const COMMON_SUBJECT =
  /^(?:the|their|our|my|his|her|its|a|an|this|that|these|those|there|they|we|i|he|she|it|you|who|what|management|board|procurement|finance|legal|marketing|sales|it|budget|company|team|leadership|contract|deal|stage|note|update|today|yesterday|now|also|and|but|so|still|das|die|der|sie|er|es|wir|ich|ihr|ihre|unser|unsere|ils|elles?|nous|le|la|les|el|los|las|ellos|ellas|monday|tuesday|wednesday|thursday|friday)$/i;
const NAMED_SUBJECT =
  /^\W{0,3}(?<who>\p{Lu}[\p{L}\p{N}&'-]{0,40}(?: \p{Lu}[\p{L}\p{N}&'-]{0,40}){0,3})(?:,|\s+(?:has|have|had|uses?|is|was|signed|chose|went|approved|runs?|sent|hat|haben|nutzt|a|ont|tiene|usa))(?=\s)/u;

/**
 * Returns `somebody_else` if a sentence begins with the name of somebody who is neither the contact nor its company, so
 * that what it states is theirs. Without known names, every name may be the contact's.
 */
export function checkNamedSubject(sentence: string, context: ExtractionContext): ReviewReason | undefined {
  const known = [...context.names, ...context.companies];
  const who = NAMED_SUBJECT.exec(sentence)?.groups!['who']?.replace(/'s$/, '');
  if (known.length === 0 || who === undefined || COMMON_SUBJECT.test(who)) return undefined;
  return namesOverlap(who, known) ? undefined : 'somebody_else';
}
