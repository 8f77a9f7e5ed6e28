// How well notes are found: node bench/notes-quality.ts [--misses]. See docs/notes-search.md.
import '../scripts/build-if-stale.mjs';
import { parseArgs } from 'node:util';
import { judgedNotes, judgedQuestions } from '../test/support/graph/notes-quality.ts';

const { values } = parseArgs({ options: { misses: { type: 'boolean', default: false } } });
// Not before the build: these import from dist/.
const { askedOfHistories, historiesOf } = await import('./quality/histories.ts');
const { missesOf, tableOf } = await import('./quality/report.ts');
const { pureRankings } = await import('./quality/rankings.ts');
const { servedRankings, withHub } = await import('./quality/served.ts');
const { openPostgres } = await import('./env/postgres.ts');

const notes = judgedNotes();
const questions = judgedQuestions();
const variants = {
  'words, thesaurus, lift': { thesaurus: true, lift: true },
  'words, thesaurus': { thesaurus: true, lift: false },
  'words, lift': { thesaurus: false, lift: true },
  words: { thesaurus: false, lift: false },
};

const postgres = await openPostgres(process.env['DATABASE_URL']);
try {
  const served = await withHub(postgres, send => servedRankings(send, notes, questions));
  const rankings = Object.entries(variants).map(
    ([name, switches]) => [name, pureRankings(notes, questions, switches)] as const,
  );
  console.log(`${notes.length} notes, ${questions.length} questions\n`);
  console.log(tableOf(questions, new Map([['as served (guesses at typing errors too)', served], ...rankings])));
  const histories = historiesOf(notes);
  const response = askedOfHistories(questions, notes);
  const long = Object.entries(variants).map(
    ([name, switches]) => [name, pureRankings(histories, response, switches)] as const,
  );
  console.log(`\nAll notes of a contact as one: ${histories.length} long notes\n`);
  console.log(tableOf(response, new Map(long)));
  if (values.misses) console.log(`\n${missesOf(questions, served)}`);
} finally {
  await postgres.stop();
}
