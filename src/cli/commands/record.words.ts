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
export interface Observation {
  readonly kind: 'state' | 'event';
  readonly property: string;
  readonly value?: unknown;
  readonly source: string;
  readonly method?: string;
  readonly observed_at?: string;
  readonly external_id?: string;
}

const EVENT = 'interaction.';

/** The observations that the words of a command line stand for. @throws CliError for a word without "=" */
export function observationsOf(facts: readonly string[], options: RecordOptions): Observation[] {
  const { source, method, observedAt, externalId, event: events = [] } = options;
  const about = {
    source,
    ...(method !== undefined && { method }),
    ...(observedAt !== undefined && { observed_at: observedAt }),
    ...(externalId !== undefined && { external_id: externalId }),
  };
  const states = facts.map(word => ({ kind: 'state' as const, ...factIn(word), ...about }));
  return [...states, ...events.map(word => ({ kind: 'event' as const, ...eventIn(word), ...about }))];
}

function factIn(word: string): { property: string; value: unknown } {
  const [property, text] = halves(word);
  if (property !== '' && text !== undefined) return { property, value: text === '' ? null : valueIn(text) };
  throw CliError.usage(`"${word}" is no fact.`, 'Write property=value, such as title="VP Sales".');
}

function eventIn(word: string): { property: string; value?: unknown } {
  const [type, text] = halves(word);
  const property = type.startsWith(EVENT) ? type : EVENT + type;
  if (text === undefined || text === '') return { property };
  const value = valueIn(text);
  return { property, value: typeof value === 'object' && value !== null ? value : { description: String(value) } };
}

function halves(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word.trim(), undefined] : [word.slice(0, at).trim(), word.slice(at + 1)];
}

/** What reads as JSON is JSON, so that numbers, lists and objects can be said; anything else is text. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
