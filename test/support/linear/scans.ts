// Functions of the domain that read a whole text from outside, and texts that such functions are slow on.
import { canonKey } from '#domain/claims/canon.js';
import { eventInWords } from '#domain/context/activity.js';
import { passagesOf as sectionPassages } from '#domain/context/other-candidates.js';
import { spansOf } from '#domain/extract/cited.js';
import { extract } from '#domain/extract/extract.js';
import { namesIn } from '#domain/extract/known-names.js';
import { readLlmAnswer } from '#domain/extract/llm-reading.js';
import { peopleNamedIn } from '#domain/extract/named-in-text.js';
import { sentencesOf } from '#domain/extract/sentences.js';
import { sectionOf } from '#domain/facts/sections.js';
import { readDescription } from '#domain/icp/read-description.js';
import { parseFocus } from '#domain/identity/focus.js';
import { nameKey } from '#domain/identity/names.js';
import { indexTermsOf, spellableWords } from '#domain/notes/index-terms.js';
import { titleOf } from '#domain/notes/note.js';
import { passagesOf } from '#domain/notes/passages.js';
import { inWords, quoted } from '#domain/observation/summary.js';
import { rankRows } from '#domain/query/rank-rows.js';
import { summarize } from '#domain/query/summarize.js';
import { readPattern } from '#domain/score/pattern.js';
import { folded, numberIn, textsIn } from '#domain/score/value.js';
import { queryTermsOf } from '#domain/text/question.js';
import { snippetOf } from '#domain/text/snippet.js';
import { stem } from '#domain/text/stem.js';
import { conceptTokensOf, expand } from '#domain/text/thesaurus.js';
import { tokenize } from '#domain/text/tokens.js';
import { foldWord } from '#domain/text/words.js';
import { parseInstant } from '#domain/time/instant.js';
import { reading } from '../reading.js';
import type { Attack } from './attack-strings.js';

const known = reading({ competitors: ['Gongo', 'aa', 'Salesforce'], technologies: ['HubSpot', 'A'] });
const seen = (summary: string) => ({
  id: summary.slice(0, 8),
  entity: 'Ada',
  property: 'interaction.note',
  value: summary,
  day: '2026-05-01',
  summary,
});

/** What is measured, each from the beginning to the end of its text. */
export const SCANS: readonly { readonly name: string; readonly run: (text: string) => unknown }[] = [
  { name: 'sentencesOf', run: sentencesOf },
  { name: 'extract about a person', run: text => extract(text, known) },
  { name: 'extract about a company', run: text => extract(text, { ...known, subject: 'company' }) },
  { name: 'peopleNamedIn', run: text => peopleNamedIn(text, new Set(['acme.com'])) },
  { name: 'namesIn', run: namesIn },
  { name: 'spansOf', run: text => spansOf(text)(text.slice(text.length / 2)) },
  { name: 'spansOf, quote not found', run: text => spansOf(text)(`${text.slice(text.length / 2)}z`) },
  {
    name: 'readLlmAnswer',
    run: text => readLlmAnswer({ facts: [{ property: 'title', value: 'CEO', quote: text.slice(-100) }] }, text),
  },
  { name: 'passagesOf a note', run: passagesOf },
  { name: 'passagesOf a section', run: text => sectionPassages('about', text) },
  { name: 'indexTermsOf', run: text => indexTermsOf(text, { title: text, date: '2026-05-01' }) },
  { name: 'spellableWords', run: spellableWords },
  { name: 'titleOf', run: text => titleOf(text, text) },
  { name: 'titleOf without a title', run: text => titleOf(undefined, text) },
  { name: 'tokenize', run: tokenize },
  { name: 'expand', run: expand },
  { name: 'conceptTokensOf', run: conceptTokensOf },
  { name: 'foldWord', run: foldWord },
  { name: 'stem', run: stem },
  { name: 'snippetOf', run: text => snippetOf(text, new Map(expand(text).map(token => [token, 1]))) },
  { name: 'queryTermsOf', run: text => queryTermsOf(text) },
  { name: 'rankRows by a long row', run: text => rankRows('price of the renewal', [text, 'x'], row => row) },
  { name: 'rankRows by many rows', run: text => rankRows('price', text.match(/[^]{1,50}/g) ?? [], row => row) },
  { name: 'rankRows by a long question', run: text => rankRows(text, [text, 'price'], row => row) },
  {
    name: 'summarize',
    run: text =>
      summarize({ question: 'price', counts: [], previous: undefined, seen: [seen(text), seen(text)], changes: [] }),
  },
  { name: 'readDescription', run: readDescription },
  { name: 'numberIn', run: numberIn },
  { name: 'textsIn', run: textsIn },
  { name: 'folded', run: folded },
  { name: 'readPattern', run: readPattern },
  { name: 'canonKey', run: text => canonKey(text) },
  { name: 'inWords', run: text => inWords(text) },
  { name: 'quoted', run: text => quoted(text) },
  { name: 'eventInWords', run: text => eventInWords({ property: 'interaction.note', value: { text } }) },
  { name: 'parseFocus', run: parseFocus },
  { name: 'nameKey', run: nameKey },
  { name: 'sectionOf', run: sectionOf },
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
