// npm run demo: a real, untidy file goes through the public REST API, and one account comes out.
import { accountLines } from './account.mjs';
import { HubClient, HubTrouble } from './client.mjs';
import { BadUsage, HELP, optionsOf } from './options.mjs';
import { startOwnHub } from './own-hub.mjs';
import { openProgress } from './progress.mjs';
import { recordRows } from './record.mjs';
import { figureLines, rejectionLines } from './result.mjs';
import { readRows } from './rows.mjs';
import { laterEvents } from './story.mjs';
import { counted, paintFor, widthOf } from './style.mjs';
import { mostTalkedAbout, nameMostUsed, Tally } from './tally.mjs';

const FILE = new URL('../test/data/people-1000.csv', import.meta.url);
const paint = paintFor(process.stdout);
const width = widthOf(process.stdout);

// Whoever pipes the output into `head` closes it early; the hub still has to be ended.
process.stdout.on('error', () => undefined);
process.exitCode = await main();

/** @returns {Promise<number>} the exit code: 0 well, 1 failed, 2 not understood */
async function main() {
  try {
    const options = optionsOf(process.argv.slice(2), process.env);
    if (!options.help) return await onSomeHub(options);
    say(HELP);
    return 0;
  } catch (error) {
    if (!(error instanceof BadUsage || error instanceof HubTrouble)) throw error;
    console.error(error.message);
    return error instanceof BadUsage ? 2 : 1;
  }
}

async function onSomeHub(options) {
  say(`\n${paint('strong', 'Rapport demo')}  invented people with typos, gaps and broken addresses`);
  say(
    paint(
      'quiet',
      'test/data/people-1000.csv, from moj-analytical-services/splink, MIT, (c) 2020 Ministry of Justice\n',
    ),
  );
  if (options.access) return run(options, options.access);
  say(paint('quiet', 'Starting a hub in a temporary folder …'));
  const hub = await startOwnHub();
  return run(options, hub).finally(() => hub.stop());
}

async function run(options, access) {
  const client = new HubClient(access);
  const tally = await importFile(client, options.limit);
  const focus = options.account ?? mostTalkedAbout(tally.entities);
  if (focus === undefined) return 1;
  // A hub that somebody works with gets nothing invented beyond the file.
  if (!options.access && !options.account) await continueStory(client, focus, tally);
  const { status, body } = await client.account(focus);
  if (status !== 200 || body.status === 'ambiguous') return sayWhyNot(focus, body);
  say(accountLines(body, paint, width).join('\n'));
  return tally.failures.length > 0 ? 1 : 0;
}

async function importFile(client, limit) {
  const rows = await Array.fromAsync(readRows(FILE, limit));
  const tally = new Tally();
  say(`Recording ${counted(rows.length, 'row')} by POST /v2/observations, one call each`);
  const progress = openProgress(process.stdout, rows.length);
  await recordRows(client, rows, (row, answer) => {
    tally.count(row, answer);
    progress.update(tally);
  });
  say(`\n${figureLines(tally, progress.end()).join('\n')}\n`);
  if (tally.rejections.length > 0) {
    say(
      `  ${paint('strong', 'REJECTED')}  ${paint('quiet', 'whole rows, for the reason that the API gives; the numbers are lines of the file')}`,
    );
    say(rejectionLines(tally.rejections, paint, width).join('\n'));
  }
  return tally;
}

async function continueStory(client, focus, tally) {
  const rows = tally.entities.get(focus) ?? [];
  const events = laterEvents(nameMostUsed(rows), Date.now());
  await client.record(focus, events);
  const lines = [rows[0]?.line, rows.at(-1)?.line].join(' to ');
  say(
    `  ${paint('strong', 'ONE ACCOUNT')}  ${paint('quiet', `the person whom most rows are about: ${rows.length} of them, lines ${lines}`)}`,
  );
  say(
    `  The file is one source without dates. So the demo lets others speak too: it invents ${events.length} observations`,
  );
  say('  of a CRM, a form, LinkedIn, a mailbox, an agent and a colleague.');
}

function sayWhyNot(focus, { status, count, candidates = [], detail, error }) {
  say(
    status === 'ambiguous'
      ? `"${focus}" is the name of ${count}; pass one of these ids to --account:`
      : `${focus}: ${detail ?? error}`,
  );
  for (const candidate of candidates) say(`  ${candidate.entity_id}  ${candidate.name}  ${candidate.detail}`);
  return 1;
}

function say(text) {
  process.stdout.write(`${text}\n`);
}
