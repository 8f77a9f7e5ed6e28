import { randomUUID } from 'node:crypto';
import { type AddCommands, at, declare, type Desk } from '../base/desk.js';
import { counted, pairs, printable } from '../base/lines.js';
import { CliError } from '../base/exit.js';
import { readAll } from '../base/terminal.js';
import { observationsOf, type RecordOptions } from './record.words.js';

interface Recorded {
  readonly entity_id: string | null;
  readonly recorded: number;
  readonly duplicates: number;
  readonly claims_recomputed: readonly string[];
  readonly observations?: readonly { readonly property: string; readonly value: unknown }[];
  readonly needs_review?: readonly { readonly property: string; readonly value: unknown; readonly why: string }[];
}

const FACTS = '/v2/observations';
const TEXT = '/v2/observations/from-text';

/** `record` */
export const addRecordCommand: AddCommands = (program, terminal, seat) => {
  declare(program, {
    name: 'record',
    summary: 'record facts, events or open text about a person or company',
    description:
      'Record facts (property=value), events (--event) or open text (--text) about a person or company, who is made ' +
      'when nobody has the identifier yet. A value that reads as JSON is JSON; property= says that the fact has ended.',
    examples: [
      'rapport record ada@acme.com title="VP Sales" headcount=120',
      `rapport record ada@acme.com --event email_replied='{"description":"Asked for the price list"}'`,
      'rapport record ada@acme.com --text "Ada is now CRO. Their budget is 40k." --dry-run',
      'rapport record ada@acme.com --text - --source call < transcript.txt',
    ],
  })
    .argument('<focus>', 'id, e-mail address, domain or LinkedIn URL; no bare name')
    .argument('[facts...]', 'property=value')
    .option(
      '--event <type>',
      'something that happened, such as email_replied or call_held={…}; may be repeated',
      collected,
    )
    .option('--text <text>', 'open text to read facts from; - reads it from stdin')
    .option('--source <source>', 'where it comes from', 'cli')
    .option('--method <method>', 'how it was captured')
    .option('--observed-at <time>', 'when it happened, ISO 8601; default: now')
    .option('--external-id <id>', 'key of the upstream system: the same one is recorded once')
    .option('--idempotency-key <key>', 'names this call, so that it can be repeated; default: a new one')
    .option('--dry-run', 'only say what would happen')
    .action(
      at(terminal, seat, async (desk, focus: string, facts: string[], options: RecordOptions) => {
        const { path, body } = await requestOf(desk, focus, facts, options);
        const hub = await desk.hub();
        const answer = await hub.call<Recorded>('POST', path, {
          body,
          idempotencyKey: options.idempotencyKey ?? randomUUID(),
        });
        desk.answer(answer, linesOf(answer, options.dryRun === true));
      }),
    );
};

/** Only the door for text knows rehearsals, and it takes observations without text too. */
async function requestOf(desk: Desk, focus: string, facts: readonly string[], options: RecordOptions) {
  const { text: given, source, dryRun = false } = options;
  const text = given === '-' ? await textFrom(desk) : given;
  const observations = observationsOf(facts, options);
  if (observations.length === 0 && text === undefined) {
    throw CliError.usage(
      'Nothing is said about them.',
      'Add property=value, --event or --text; see rapport record --help.',
    );
  }
  if (text === undefined && !dryRun) return { path: FACTS, body: { focus, observations } };
  const { observedAt, externalId } = options;
  const about = {
    ...(observedAt !== undefined && { observed_at: observedAt }),
    ...(externalId !== undefined && { external_id: externalId }),
  };
  const read = {
    ...(text !== undefined && { text, source, ...about }),
    ...(observations.length > 0 && { observations }),
  };
  return { path: TEXT, body: { focus, ...read, ...(dryRun && { dry_run: true }) } };
}

async function textFrom({ terminal: { stdin } }: Desk): Promise<string> {
  if (stdin.isTTY)
    throw CliError.usage('There is no text on stdin.', 'Pipe it in: rapport record … --text - < call.txt.');
  return readAll(stdin);
}

function linesOf(answer: Recorded, dryRun: boolean) {
  const { entity_id, recorded, duplicates, claims_recomputed, observations = [], needs_review = [] } = answer;
  const done = `${dryRun ? 'Would record' : 'Recorded'} ${counted(recorded, 'observation')}`;
  return [
    duplicates > 0 ? `${done}; ${counted(duplicates, 'was', 'were')} known already.` : `${done}.`,
    ...pairs({ entity: entity_id, claims: claims_recomputed.join(', ') }),
    ...observations.map(({ property, value }) => `  read: ${property} = ${printable(value)}`),
    ...needs_review.map(({ property, value, why }) => `  for review: ${property} = ${printable(value)} (${why})`),
  ];
}

function collected(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
