import { CliError } from '../base/exit.js';

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
