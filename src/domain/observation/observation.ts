import { hash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { type Instant, toIso } from '../time/instant.js';

/** Any JSON value. */
export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };

/** `event`: something happened (an interaction). `state`: a fact is stated. */
export type ObservationKind = 'event' | 'state';

/** Prefix of the property of every event. */
export const EVENT_PREFIX = 'interaction.';

/** Default source and method of an observation. */
export const DEFAULT_SOURCE = 'agent';
export const DEFAULT_METHOD = 'api';

/** One row of the append-only log. */
export interface StoredObservation {
  id: string;
  kind: ObservationKind;
  property: string;
  /** For a state, the value; null ends the fact. For an event, its details. Absent is null. */
  value: JsonValue;
  source: string;
  method: string;
  observedAt: Instant;
  recordedAt: Instant;
  externalId: string | null;
  /** {@link computeDigest} of the observation, 64 hex characters. */
  digest: string;
  /** Key of the e-mail address of which it states whether it works; null if none was named, or for other statements. */
  aboutAddress?: string | null;
}

/** A validated observation before it is appended; {@link resolveObservedAt} returns its time if none was given. */
export interface ObservationDraft {
  kind: ObservationKind;
  property: string;
  value: JsonValue;
  source: string;
  method: string;
  observedAt?: Instant;
  externalId?: string;
  /** The upstream payload as received, stored for audit and never interpreted. */
  raw?: Record<string, JsonValue>;
}

/** A problem of a request: the field, the element, and the fix. */
export interface ObservationProblem {
  /** Position in the batch, from 0; absent if the batch as a whole is meant. */
  index?: number;
  field: string;
  message: string;
}

/** Maximum number of observations per call. */
export const MAX_BATCH_OBSERVATIONS = 1000;

/**
 * Returns the time of an observation: its own, else the time of receipt plus one microsecond per position in the batch,
 * so that the later of two elements wins. Such times are up to `MAX_BATCH_OBSERVATIONS` microseconds after the receipt,
 * so a fold that must include its own batch uses `receivedAt + MAX_BATCH_OBSERVATIONS` as `now`.
 */
export function resolveObservedAt(input: ObservationDraft, index: number, receivedAt: Instant): Instant {
  return input.observedAt ?? receivedAt + index;
}

/** Content of an observation, independent of when and in which order it arrived. */
export interface ObservationContent {
  property: string;
  value: JsonValue;
  source: string;
  method: string;
  observedAt: Instant;
  externalId?: string | null;
}

/**
 * Returns the SHA-256 in hex over the RFC 8785 form of `{external_id, method, observed_at, property, source, value}`,
 * with absent values as null and the time in UTC with six decimals. Equal content has an equal digest on every machine.
 */
export function computeDigest(observation: ObservationContent): string {
  const { externalId = null, method, observedAt, property, source, value } = observation;
  const content =
    `{"external_id":${toCanonicalJson(externalId)},"method":${toCanonicalJson(method)},"observed_at":"${toIso(observedAt)}",` +
    `"property":${toCanonicalJson(property)},"source":${toCanonicalJson(source)},"value":${toCanonicalJson(value)}}`;
  return hash('sha256', content);
}

/**
 * Returns the deduplication key of an observation that a sync reads from a record: equal for a repeat, different for
 * another value or time.
 * @param system system of the record.
 * @param recordId ID of the record in that system.
 */
export function deriveRecordKey(
  system: string,
  recordId: string,
  { property, value, observedAt }: Pick<ObservationDraft, 'property' | 'value' | 'observedAt'>,
): string {
  const time = observedAt === undefined ? null : toIso(observedAt);
  return `record:${hash('sha256', toCanonicalJson([system, recordId, property, value, time]))}`;
}

function toCanonicalJson(value: JsonValue): string {
  return canonicalize(value) ?? 'null';
}

/** Maximum nesting of arrays and objects. */
export const MAX_JSON_DEPTH = 32;

/** A problem inside a JSON value: its path (such as `company.tags[2]`, empty for the value itself) and message. */
export interface ValueIssue {
  path: string;
  message: string;
}

/** Upper bound of the size as JSON, counted during the traversal; the exact size is computed only near the limit. */
interface SizeTally {
  bytes: number;
}

/** A code unit takes at most six bytes in JSON, a number at most 25 characters. */
const BYTES_PER_UNIT = 6;
const BYTES_PER_NUMBER = 25;

/**
 * Returns undefined if `value` is JSON that PostgreSQL can store within `maxBytes` (UTF-8, compact JSON) and {@link
 * MAX_JSON_DEPTH} levels; else the first problem, worded to follow the name of the field.
 */
export function findIssue(value: unknown, maxBytes: number): ValueIssue | undefined {
  const tally: SizeTally = { bytes: 0 };
  const flaw = findIssueInside(value, 0, tally);
  if (flaw) return flaw;
  if (tally.bytes <= maxBytes) return undefined;
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= maxBytes) return undefined;
  return { path: '', message: `takes ${bytes} bytes as JSON; at most ${maxBytes} are kept` };
}

/** Returns why PostgreSQL cannot store a text, or undefined. */
export function findTextIssue(text: string): string | undefined {
  if (text.includes('\u0000')) return 'contains a NUL character (U+0000), which cannot be stored; remove it';
  if (!text.isWellFormed()) return 'contains half of a surrogate pair, which is no text; send complete characters';
  return undefined;
}

/** Returns whether `value` is a JSON object: not an array and not an instance of a class, from any realm. */
export function isPlainObject(value: unknown): value is Record<string, JsonValue> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (!Array.isArray(value) && Object.getPrototypeOf(prototype) === null);
}

function findIssueInside(value: unknown, depth: number, tally: SizeTally): ValueIssue | undefined {
  if (typeof value === 'string') {
    tally.bytes += value.length * BYTES_PER_UNIT + 2;
    return toIssue(findTextIssue(value));
  }
  if (typeof value === 'number') {
    tally.bytes += BYTES_PER_NUMBER;
    return toIssue(Number.isFinite(value) ? undefined : 'is a number beyond what JSON numbers can hold');
  }
  tally.bytes += 5;
  if (value === null || typeof value === 'boolean') return undefined;
  if (depth >= MAX_JSON_DEPTH) return toIssue(`is nested more than ${MAX_JSON_DEPTH} levels deep; flatten it`);
  if (Array.isArray(value)) return findListIssue(value, depth, tally);
  if (isPlainObject(value)) return findObjectIssue(value, depth, tally);
  return toIssue('is not JSON');
}

function findListIssue(list: unknown[], depth: number, tally: SizeTally): ValueIssue | undefined {
  tally.bytes += list.length;
  for (let place = 0; place < list.length; place++) {
    const flaw = findIssueInside(list[place], depth + 1, tally);
    if (flaw) return prefixIssue(`[${place}]`, flaw);
  }
  return undefined;
}

function findObjectIssue(object: Record<string, unknown>, depth: number, tally: SizeTally): ValueIssue | undefined {
  for (const key of Object.keys(object)) {
    tally.bytes += key.length * BYTES_PER_UNIT + 4;
    const flaw = toIssue(findTextIssue(key)) ?? findIssueInside(object[key], depth + 1, tally);
    if (flaw) return prefixIssue(`.${key}`, flaw);
  }
  return undefined;
}

function toIssue(message: string | undefined): ValueIssue | undefined {
  return message === undefined ? undefined : { path: '', message };
}

function prefixIssue(step: string, flaw: ValueIssue): ValueIssue {
  return { path: step + flaw.path, message: flaw.message };
}

/**
 * Words used in place of missing values, in lower case and without surrounding punctuation: English, German, French,
 * Spanish, Italian, Portuguese, Dutch, Polish, Swedish with Danish and Norwegian, and Japanese with Chinese.
 */
export const PLACEHOLDER_WORDS: readonly string[] = [
  // English, and what spreadsheets and programs write
  'n/a | na | n.a | n a | none | null | nil | nan | undefined | unknown | unspecified | not available',
  'not applicable | not known | not provided | not specified | not set | no data | no value | no answer',
  'tbd | tba | tbc | to be determined | to be confirmed | to be defined | empty | blank | missing',
  'test | testing | test test | dummy | placeholder | asdf | qwerty | xxx | xxxx | ref | value | n/d',
  // German
  'unbekannt | k.a | k. a | ka | keine | keine angabe | keine angaben | nicht bekannt | nicht angegeben',
  'nicht verfügbar | nicht vorhanden | entfällt | leer',
  // French
  'inconnu | inconnue | aucun | aucune | néant | non renseigné | non renseignée | non disponible',
  'non spécifié | sans objet | s.o | n.c | vide | à définir',
  // Spanish
  'desconocido | desconocida | ninguno | ninguna | no disponible | no aplica | sin datos',
  'sin especificar | s/d | vacío | por definir',
  // Italian
  'sconosciuto | sconosciuta | nessuno | nessuna | non disponibile | non applicabile | n.d | vuoto',
  'non specificato | da definire',
  // Portuguese
  'desconhecido | desconhecida | nenhum | nenhuma | não disponível | não aplicável | sem dados | vazio',
  'não informado | a definir',
  // Dutch
  'onbekend | geen | n.v.t | nvt | niet van toepassing | niet beschikbaar | niet bekend | leeg',
  // Polish
  'nieznany | nieznana | nieznane | brak | brak danych | nie dotyczy | nie podano | puste',
  // Swedish, Danish, Norwegian
  'okänd | okänt | saknas | ej tillgänglig | ej angivet | ukendt | ukjent | ikke oplyst | ikke oppgitt',
  // Japanese, Chinese
  '不明 | なし | 未定 | 未設定 | 未知 | 无 | 無 | 暂无 | 未填写 | 不詳',
].flatMap(line => line.split(' | '));

/** Maximum length of a placeholder in characters; longer text is not one. */
const MAX_PLACEHOLDER_LENGTH = 40;

/** Properties in which `NA` is a value: the country code of Namibia. */
const COUNTRY_PROPERTIES = new Set(['country', 'country_code', 'company_country']);

const words: ReadonlySet<string> = new Set(PLACEHOLDER_WORDS);

/**
 * Returns whether a value is a placeholder for a missing value: empty text, a dash, `N/A`, `unknown`, `test`, in the
 * ten languages of {@link PLACEHOLDER_WORDS}. Null is not a placeholder: it ends a fact.
 */
export function isPlaceholder(property: string, value: JsonValue): boolean {
  if (typeof value !== 'string') return false;
  if (value.length > MAX_PLACEHOLDER_LENGTH) return value.trim() === '';
  const text = normalizePlaceholder(value);
  if (text === 'na' && COUNTRY_PROPERTIES.has(property)) return false;
  return text === '' || words.has(text);
}

/** Characters around a placeholder that are ignored: `(None)`, `[n/a]`, `--`. */
const OUTER_MARKS = new Set(' "\'`()[]{}<>*_.?!#:;,=/|\\–—-');

/**
 * Returns the placeholders in a value that states something: the value itself, or members of a list.
 * @returns each with its path behind the value, `''` or `[2]`.
 */
export function findPlaceholders(property: string, value: JsonValue): { path: string; text: string }[] {
  if (!Array.isArray(value)) return isPlaceholder(property, value) ? [{ path: '', text: String(value) }] : [];
  return value.flatMap((member, i) =>
    isPlaceholder(property, member) ? [{ path: `[${i}]`, text: String(member) }] : [],
  );
}

/** Returns the sentence that refuses a placeholder and names the fix. */
export function explainPlaceholder(field: string, text: string): string {
  return (
    `${field} is ${JSON.stringify(text)}, which is a placeholder and no value. Leave it out if nothing is known; send ` +
    'null if the fact has ended.'
  );
}

function normalizePlaceholder(value: string): string {
  const text = value.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
  let [start, end] = [0, text.length];
  while (start < end && OUTER_MARKS.has(text[start]!)) start += 1;
  while (end > start && OUTER_MARKS.has(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}
