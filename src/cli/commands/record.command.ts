import { randomUUID } from 'node:crypto';
import { CliError } from '../base/errors.js';
import { type RegisterCommands, action, defineCommand, type CommandContext } from '../base/command-context.js';
import { pluralize, formatFieldLines, toPrintable, readStream } from '../base/terminal.js';

/** Options of `record`. */
export interface RecordOptions {
  readonly event?: readonly string[];
  readonly text?: string;
  readonly source: string;
  readonly method?: string;
  readonly observedAt?: string;
  readonly externalId?: string;
  readonly idempotencyKey?: string;
  readonly dryRun?: true;
}

/** An observation as `POST /v2/observations` takes it. */
export interface ApiObservation {
  readonly kind: 'state' | 'event';
  readonly property: string;
  readonly value?: unknown;
  readonly source: string;
  readonly method?: string;
  readonly observed_at?: string;
  readonly external_id?: string;
}

const EVENT_PREFIX = 'interaction.';

/** Parses the observations of a command line. @throws CliError for a fact without "=" */
export function parseObservationArgs(facts: readonly string[], options: RecordOptions): ApiObservation[] {
  const { source, method, observedAt, externalId, event: events = [] } = options;
  const about = {
    source,
    ...(method !== undefined && { method }),
    ...(observedAt !== undefined && { observed_at: observedAt }),
    ...(externalId !== undefined && { external_id: externalId }),
  };
  const states = facts.map(word => ({ kind: 'state' as const, ...parseFactArg(word), ...about }));
  return [...states, ...events.map(word => ({ kind: 'event' as const, ...parseEventArg(word), ...about }))];
}

function parseFactArg(word: string): { property: string; value: unknown } {
  const [property, text] = splitAssignment(word);
  if (property !== '' && text !== undefined) return { property, value: text === '' ? null : parseValue(text) };
  throw CliError.usage(`"${word}" is not a fact.`, 'Write property=value, such as title="VP Sales".');
}

function parseEventArg(word: string): { property: string; value?: unknown } {
  const [type, text] = splitAssignment(word);
  const property = type.startsWith(EVENT_PREFIX) ? type : EVENT_PREFIX + type;
  if (text === undefined || text === '') return { property };
  const value = parseValue(text);
  return { property, value: typeof value === 'object' && value !== null ? value : { description: String(value) } };
}

function splitAssignment(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word.trim(), undefined] : [word.slice(0, at).trim(), word.slice(at + 1)];
}

/**
 * Parses a value as JSON, so that numbers, lists and objects can be sent; anything else is text.
 * @throws CliError for text that begins as an object or a list and is no JSON: it would be stored as text otherwise
 */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (!/^\s*[{[]/.test(text)) return text;
    const reason = error instanceof Error ? error.message : String(error);
    throw CliError.usage(
      `"${text}" is not valid JSON: ${reason}.`,
      'Quote the whole value for your shell, as in event=\'{"a":1}\'.',
    );
  }
}

interface ApiRecordResult {
  readonly entity_id: string | null;
  readonly recorded: number;
  readonly duplicates: number;
  readonly claims_recomputed: readonly string[];
  readonly observations?: readonly { readonly property: string; readonly value: unknown }[];
  readonly needs_review?: readonly { readonly property: string; readonly value: unknown; readonly why: string }[];
}

const OBSERVATIONS_PATH = '/v2/observations';
const FROM_TEXT_PATH = '/v2/observations/from-text';

/** `record` */
export const addRecordCommand: RegisterCommands = (program, terminal, holder) => {
  defineCommand(program, {
    name: 'record',
    summary: 'record facts, events or free text about a person or company',
    description:
      'Record facts (property=value), events (--event) or free text (--text) about a person or company, which is created ' +
      'if the identifier is new. Values are parsed as JSON if possible; property= marks the fact as ended.',
    examples: [
      'rapport record ada@acme.com title="VP Sales" headcount=120',
      `rapport record ada@acme.com --event email_replied='{"description":"Asked for the price list"}'`,
      'rapport record ada@acme.com --text "Ada is now CRO. Their budget is 40k." --dry-run',
      'rapport record ada@acme.com --text - --source call < transcript.txt',
    ],
  })
    .argument('<focus>', 'ID, e-mail address, domain or LinkedIn URL; no bare name')
    .argument('[facts...]', 'property=value')
    .option('--event <type>', 'an event, such as email_replied or call_held={…}; repeatable', collectOption)
    .option('--text <text>', 'free text from which facts are extracted; - reads it from stdin')
    .option('--source <source>', 'source of the observations', 'cli')
    .option('--method <method>', 'how it was captured')
    .option('--observed-at <time>', 'when it happened, ISO 8601; default: now')
    .option('--external-id <id>', 'ID in the source system, for deduplication')
    .option('--idempotency-key <key>', 'key that makes the call safe to repeat; default: a new one')
    .option('--dry-run', 'show what would be recorded, without recording it')
    .action(
      action(terminal, holder, async (context, focus: string, facts: string[], options: RecordOptions) => {
        const { path, body } = await buildRecordRequest(context, focus, facts, options);
        const hub = await context.client();
        const answer = await hub.call<ApiRecordResult>('POST', path, {
          body,
          idempotencyKey: options.idempotencyKey ?? randomUUID(),
        });
        context.print(answer, formatRecordResult(answer, options.dryRun === true));
      }),
    );
};

/** Builds the request. Only the endpoint for text supports dry runs; it also accepts observations without text. */
async function buildRecordRequest(
  context: CommandContext,
  focus: string,
  facts: readonly string[],
  options: RecordOptions,
) {
  const { text: given, source, dryRun = false } = options;
  const text = given === '-' ? await readTextInput(context) : given;
  const observations = parseObservationArgs(facts, options);
  if (observations.length === 0 && text === undefined) {
    throw CliError.usage(
      'There is nothing to record.',
      'Add property=value, --event or --text; see rapport record --help.',
    );
  }
  if (text === undefined && !dryRun) return { path: OBSERVATIONS_PATH, body: { focus, observations } };
  const { observedAt, externalId } = options;
  const about = {
    ...(observedAt !== undefined && { observed_at: observedAt }),
    ...(externalId !== undefined && { external_id: externalId }),
  };
  const read = {
    ...(text !== undefined && { text, source, ...about }),
    ...(observations.length > 0 && { observations }),
  };
  return { path: FROM_TEXT_PATH, body: { focus, ...read, ...(dryRun && { dry_run: true }) } };
}

async function readTextInput({ terminal: { stdin } }: CommandContext): Promise<string> {
  if (stdin.isTTY)
    throw CliError.usage('There is no text on stdin.', 'Pipe it in: rapport record … --text - < call.txt.');
  return readStream(stdin);
}

function formatRecordResult(answer: ApiRecordResult, dryRun: boolean) {
  const { entity_id, recorded, duplicates, claims_recomputed, observations = [], needs_review = [] } = answer;
  const done = `${dryRun ? 'Would record' : 'Recorded'} ${pluralize(recorded, 'observation')}`;
  return [
    duplicates > 0 ? `${done}; ${pluralize(duplicates, 'was', 'were')} known already.` : `${done}.`,
    ...formatFieldLines({ entity: entity_id, claims: claims_recomputed.join(', ') }),
    ...observations.map(({ property, value }) => `  read: ${property} = ${toPrintable(value)}`),
    ...needs_review.map(({ property, value, why }) => `  for review: ${property} = ${toPrintable(value)} (${why})`),
  ];
}

function collectOption(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
