// How right the answers are: npm run quality [-- --misses]. See docs/quality.md.
import '../scripts/build-if-stale.mjs';
import { parseArgs } from 'node:util';
import { figuresOf, judgedNotes, judgedQuestions } from '../test/support/graph/notes-quality.ts';
import { readSituations } from '../test/support/graph/situations.ts';

const { values } = parseArgs({ options: { misses: { type: 'boolean', default: false } } });
// Not before the build: these import from dist/.
const { atLeast, formatTable, measureDomain } = await import('./quality/table.ts');
const { judgedTexts, measureExtraction } = await import('./quality/extraction.ts');
const { missedSituations, servedRankings, withHub } = await import('./quality/served.ts');
const { openPostgres } = await import('./env/postgres.ts');

const questions = judgedQuestions();
const paraphrases = questions.filter(({ paraphrase }) => paraphrase);
const postgres = await openPostgres(process.env['DATABASE_URL']);
try {
  const situations = readSituations();
  const { served, missed } = await withHub(postgres, async send => ({
    served: await servedRankings(send, judgedNotes(), questions),
    missed: await missedSituations(send, situations),
  }));
  const rows = [
    ...measureDomain(),
    atLeast('sales situations', situations.length, 1 - missed.length / situations.length, 0.97),
    atLeast('notes found: answers in the first 8', questions.length, figuresOf(questions, served).answers, 0.65),
    atLeast('notes found by paraphrase', paraphrases.length, figuresOf(paraphrases, served).answers, 0.65),
  ];
  console.log(formatTable(rows));
  if (values.misses) {
    console.log(['', 'situations: missed', ...missed.map(({ id, story }) => `${id}: ${story}`)].join('\n'));
    for (const name of ['hard', 'ordinary'] as const) {
      const texts = measureExtraction(judgedTexts(name));
      console.log([``, `${name}: wrong`, ...texts.wrong, `${name}: missed`, ...texts.missed].join('\n'));
    }
  }
  process.exitCode = rows.every(({ reached }) => reached) ? 0 : 1;
} finally {
  await postgres.stop();
}
