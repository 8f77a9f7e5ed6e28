// Functions of the domain that read a whole text from outside, and texts that such functions are slow on.
import { canonicalKey } from '#domain/comparison/canonical-key.js';
import { comparisonKey } from '#domain/comparison/comparison-key.js';
import { describeEvent } from '#domain/context/key-activity.js';
import { splitSectionPassages as sectionPassages } from '#domain/context/context-candidates.js';
import { quoteFinder } from '#domain/extract/quote-span.js';
import { extract } from '#domain/extract/extract.js';
import { parseKnownNames, findNamedPeople } from '#domain/extract/known-names.js';
import { parseLlmResponse } from '#domain/extract/llm-extraction.js';
import { extractSignature } from '#domain/extract/signature.js';
import { splitSentences } from '#domain/extract/sentences.js';
import { parseSection } from '#domain/facts/sections.js';
import { parseDescription } from '#domain/icp/parse-description.js';
import { toFocusText, parseFocus, parsePhone } from '#domain/identity/focus.js';
import { computeLikeness } from '#domain/identity/likeness.js';
import { listIndexedWords, nameKey } from '#domain/identity/names.js';
import { parseNameQuery, rankName } from '#domain/identity/match-name.js';
import {
  buildIndexTerms,
  cutCharacterSpans,
  findPassageSpans,
  listSpellableWords,
  splitPassages,
  toCharacterSpans,
} from '#domain/notes/passages.js';
import { deriveNoteTitle } from '#domain/notes/note.js';
import { toPlainText, quoteText } from '#domain/observation/summary.js';
import { rankRows } from '#domain/query/rank-rows.js';
import { summarize, tokenizeSummary } from '#domain/query/summarize.js';
import { stageGroup } from '#domain/properties/stages.js';
import { buildTextMatcher } from '#domain/score/text-match.js';
import { parsePattern, normalizeMatchText, parseNumber, collectTexts } from '#domain/score/match-rule.js';
import { buildQueryTerms } from '#domain/text/query-terms.js';
import { extractSnippet } from '#domain/text/snippet.js';
import { stem } from '#domain/text/stem.js';
import { findConceptTokens, expandTokens } from '#domain/text/thesaurus.js';
import { tokenize, normalizeWord } from '#domain/text/words.js';
import { parseInstant } from '#domain/time/instant.js';
import { FIELDS } from '../../../plugins/csv-import/src/mapping/fields.js';
import { parseDate } from '../../../plugins/csv-import/src/mapping/dates.js';
import { proposeMapping } from '../../../plugins/csv-import/src/mapping/propose.js';
import { mapRow } from '../../../plugins/csv-import/src/mapping/row.js';
import { splitName } from '../../../plugins/csv-import/src/mapping/values.js';
import { detectDialect } from '../../../plugins/csv-import/src/reading/dialect.js';
import { EncodingDetector } from '../../../plugins/csv-import/src/reading/encoding.js';
import { RecordParser } from '../../../plugins/csv-import/src/reading/records.js';
import { reading } from '../graph/reading.js';
import type { Attack } from './attack-strings.js';

const known = reading({ competitors: ['Gongo', 'aa', 'Salesforce'], technologies: ['HubSpot', 'A'] });
const seen = (summary: string) => ({
  id: summary.slice(0, 8),
  entity: 'Ada',
  property: 'interaction.note',
  value: summary,
  day: '2026-05-01',
  summary,
  tokens: tokenizeSummary({ property: 'interaction.note', summary }),
});

const tokenizeAll = (texts: readonly string[]) => texts.map(text => ({ tokens: expandTokens(text) }));

const personNamed = (name: string) => ({
  type: 'person' as const,
  name,
  emails: [],
  linkedins: [],
  phones: [],
  employer: null,
  domains: [],
});

const readAsEach = (text: string) =>
  FIELDS.map(field => mapRow([text], { fields: [field], date_order: null, decimal: '.' }));

/** What is measured, each from the beginning to the end of its text. */
export const SCANS: readonly { readonly name: string; readonly run: (text: string) => unknown }[] = [
  { name: 'sentencesOf', run: splitSentences },
  { name: 'extract about a person', run: text => extract(text, known) },
  { name: 'extract what the contact wrote', run: text => extract(text, { ...known, isAuthor: true }) },
  {
    name: 'extractSignature',
    run: text => extractSignature(`Best regards\nAda Lovelace\n${text}`, { ...known, isAuthor: true }),
  },
  { name: 'extract about a company', run: text => extract(text, { ...known, subject: 'company' }) },
  { name: 'peopleNamedIn', run: text => findNamedPeople(text, new Set(['acme.com'])) },
  { name: 'stageGroup', run: stageGroup },
  { name: 'buildTextMatcher', run: text => buildTextMatcher('keywords', 'scaling outbound').isMentioned(text) },
  { name: 'buildTextMatcher of a title', run: text => buildTextMatcher('title', 'vp sales').isMentioned(text) },
  { name: 'parsePhone', run: text => parsePhone(text, 'DE') },
  { name: 'toFocusText of a phone number', run: text => toFocusText({ phone: text }, 'DE') },
  { name: 'toFocusText of a link', run: text => toFocusText(`tel:${text}`, 'DE') },
  {
    name: 'toFocusText of an external ID',
    run: text => toFocusText({ external: { system: text, id: text } }, undefined),
  },
  { name: 'namesIn', run: parseKnownNames },
  { name: 'spansOf', run: text => quoteFinder(text)(text.slice(text.length / 2)) },
  { name: 'spansOf, quote not found', run: text => quoteFinder(text)(`${text.slice(text.length / 2)}z`) },
  {
    name: 'readLlmAnswer',
    run: text => parseLlmResponse({ facts: [{ property: 'title', value: 'CEO', quote: text.slice(-100) }] }, text),
  },
  { name: 'passagesOf a note', run: splitPassages },
  {
    name: 'passages of a note in characters',
    run: text => cutCharacterSpans(text, toCharacterSpans(text, findPassageSpans(text))),
  },
  { name: 'passagesOf a section', run: text => sectionPassages('about', text) },
  { name: 'indexTermsOf', run: text => buildIndexTerms(text, { title: text, date: '2026-05-01' }) },
  { name: 'detectDialect', run: text => detectDialect(text, true) },
  { name: 'detectDialect of a header', run: text => detectDialect(`Name,Email\n${text}`, true) },
  {
    name: 'RecordParser',
    run: text => [...new RecordParser({ delimiter: ',', quote: '"', newline: '\n' }).push(text, true)].length,
  },
  {
    name: 'RecordParser of a quote that is never closed',
    run: text => [...new RecordParser({ delimiter: ',', quote: '"', newline: '\n' }).push(`"a\n${text}`, true)].length,
  },
  {
    name: 'EncodingDetector',
    run: text => {
      const detector = new EncodingDetector();
      detector.push(Buffer.from(text, 'latin1'));
      return detector.detect();
    },
  },
  { name: 'proposeMapping', run: text => proposeMapping([text, 'E-mail'], [[text, text]], ',') },
  { name: 'mapRow', run: readAsEach },
  { name: 'splitName', run: splitName },
  { name: 'parseDate', run: text => parseDate(text, null) },
  { name: 'spellableWords', run: listSpellableWords },
  { name: 'computeLikeness', run: text => computeLikeness(personNamed(text), personNamed(`${text}a`)) },
  { name: 'titleOf', run: text => deriveNoteTitle(text, text) },
  { name: 'titleOf without a title', run: text => deriveNoteTitle(undefined, text) },
  { name: 'tokenize', run: tokenize },
  { name: 'expand', run: expandTokens },
  { name: 'conceptTokensOf', run: findConceptTokens },
  { name: 'foldWord', run: normalizeWord },
  { name: 'stem', run: stem },
  { name: 'snippetOf', run: text => extractSnippet(text, new Map(expandTokens(text).map(token => [token, 1]))) },
  { name: 'queryTermsOf', run: text => buildQueryTerms(text) },
  { name: 'rankRows by a long row', run: text => rankRows('price of the renewal', tokenizeAll([text, 'x'])) },
  { name: 'rankRows by many rows', run: text => rankRows('price', tokenizeAll(text.match(/[^]{1,50}/g) ?? [])) },
  { name: 'rankRows by a long question', run: text => rankRows(text, tokenizeAll([text, 'price'])) },
  {
    name: 'summarize',
    run: text =>
      summarize({ question: 'price', counts: [], previous: undefined, sources: [seen(text), seen(text)], changes: [] }),
  },
  { name: 'readDescription', run: parseDescription },
  { name: 'numberIn', run: parseNumber },
  { name: 'textsIn', run: collectTexts },
  { name: 'folded', run: normalizeMatchText },
  { name: 'readPattern', run: parsePattern },
  { name: 'canonKey', run: text => canonicalKey(text) },
  ...(
    [
      'title',
      'seniority',
      'company',
      'country',
      'industry',
      'number',
      'money',
      'phone',
      'email',
      'domain',
      'linkedin',
      'date',
    ] as const
  ).map(type => ({ name: `comparisonKey of a ${type}`, run: (text: string) => comparisonKey(type, text) })),
  { name: 'inWords', run: text => toPlainText(text) },
  { name: 'quoted', run: text => quoteText(text) },
  { name: 'eventInWords', run: text => describeEvent({ property: 'interaction.note', value: { text } }) },
  { name: 'parseFocus', run: parseFocus },
  { name: 'nameKey', run: nameKey },
  { name: 'listIndexedWords', run: listIndexedWords },
  { name: 'rankName of a long name', run: text => rankName(parseNameQuery('ada lovelace acme'), text, text) },
  { name: 'sectionOf', run: parseSection },
  { name: 'parseInstant', run: parseInstant },
];

const PUMPS = [
  'a',
  'A',
  '1',
  ' ',
  '\n',
  '.',
  ',',
  '-',
  '_',
  '@',
  '"',
  '(',
  '[',
  '<',
  'é',
  '中',
  '😀',
  '.a',
  'a.',
  'a. ',
  'A. ',
  '1. ',
  '1,',
  '? ',
  'a ',
  'A ',
  'a\n',
  '\n\n',
  ' \n',
  '> a\n',
  '- a\n',
  'A: b\n',
  'a@',
  'a@b.co ',
  'Mr. ',
  '5.1.1 ',
  '$1k ',
  'Q1 ',
  'in 2020 ',
  'price ',
  'win back ',
  'I left ',
  'Ada left Acme. ',
  'Ada will join Acme as ',
  'budget $5k and ',
  'with Gongo ',
  'aa ',
  'of sales and ',
  'not ',
  'over 5 ',
  "don't ",
  '<a@b.co> ',
  'linkedin.com/in/a ',
  'We decide by May 5 ',
  '+49 151 1234567 ',
];

/** Texts for each function: each pump alone, and in front of something that it does not lead to. */
export const SCAN_ATTACKS: readonly Attack[] = PUMPS.flatMap(pump =>
  ['', '\u0001'].map(suffix => ({ prefix: '', pump, suffix })),
);
