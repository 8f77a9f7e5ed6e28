import type { PreciseFocus } from '#domain/identity/focus.js';
import {
  findTextIssue,
  isPlainObject,
  type JsonValue,
  type ObservationDraft,
  type ObservationProblem,
  MAX_BATCH_OBSERVATIONS,
} from '#domain/observation/observation.js';
import { parseObservation, parseObservations } from '#domain/observation/parse-observation.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/http/request-validation.js';
import { type Authored, MANUAL, readAuthor } from '../observations/author.js';
import { canonicalizeObservation, parsePreciseFocus } from '../observations/record-call.js';

/** Maximum lengths in characters of a text, of a quote, and of the external ID of a text. */
export const MAX_TEXT_LENGTH = 50_000;
const MAX_TEXT_BYTES = 60 * 1024;
export const MAX_QUOTE_LENGTH = 2_000;
export const MAX_EXTERNAL_ID_LENGTH = 400;

/** An observation of the caller, with the quote of the text that supports it. */
export interface CitedObservation {
  readonly input: ObservationDraft;
  readonly evidence: string | undefined;
}

/** A validated request to record from a text. */
export interface OpenTextRequest extends Authored {
  readonly focus: PreciseFocus;
  /** The text; undefined if only observations were sent. */
  readonly text: string | undefined;
  /** The text as an event, if it is recorded as one. */
  readonly note: ObservationDraft | undefined;
  readonly observations: readonly CitedObservation[];
  /** Source and time of the observations that are extracted from the text. */
  readonly source: string;
  readonly observedAt: number | undefined;
  readonly externalId: string | undefined;
  readonly dryRun: boolean;
}

/** A request whose focus may still have to be found in the text. */
export type OpenTextInput = Omit<OpenTextRequest, 'focus'> & { readonly focus: PreciseFocus | undefined };

const FIELDS = ['focus', 'text', 'observations', 'observed_at', 'source', 'external_id', 'dry_run'];
const NOTE_PROPERTY = 'interaction.note';
const MAX_EXCERPT_LENGTH = 160;

type Body = Readonly<Record<string, JsonValue | undefined>>;

/**
 * Validates the body of a REST or tool call that records from text.
 * @throws HubError `invalid_request` with every invalid field, `focus_and_observations_required`, `invalid_focus`,
 *   `batch_too_large`.
 */
export function readOpenTextInput(raw: unknown): OpenTextInput {
  const body: Body = isPlainObject(raw) ? raw : {};
  const { focus, text, observations, dry_run: dryRun = false } = body;
  const problems: ObservationProblem[] = findUnknownFields(body, FIELDS);
  if (typeof dryRun !== 'boolean') problems.push({ field: 'dry_run', message: 'dry_run must be true or false.' });
  const key = body['external_id'];
  if (typeof key === 'string' && key.length > MAX_EXTERNAL_ID_LENGTH) {
    problems.push({
      field: 'external_id',
      message: `external_id has at most ${MAX_EXTERNAL_ID_LENGTH} characters here.`,
    });
  }
  if (text !== undefined) problems.push(...findTextProblems(text));
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  if (lacksFocus(focus, text) || (text === undefined && observations === undefined)) {
    throw new HubError('focus_and_observations_required', {
      detail: 'Send focus, and text or observations or both. A text that names one person by address needs no focus.',
    });
  }
  const defaults = readDefaults(body);
  const hasText = typeof text === 'string';
  return {
    focus: typeof focus === 'string' ? parsePreciseFocus(focus) : undefined,
    text: hasText ? text : undefined,
    note: hasText ? toNoteEvent(text, defaults) : undefined,
    observations: observations === undefined ? [] : readCitedObservations(observations, body, hasText),
    source: defaults.source,
    observedAt: defaults.observedAt,
    externalId: defaults.externalId,
    dryRun: dryRun === true,
  };
}

/** Returns a request that is stated in the name of the signed-in person, if there is one. */
export function attributeText(request: OpenTextInput): OpenTextInput {
  const { author } = readAuthor();
  if (author === undefined) return request;
  const note = request.note && { ...request.note, source: author };
  const observations = request.observations.map(each => ({
    ...each,
    input: { ...each.input, source: author, method: MANUAL },
  }));
  return { ...request, author, source: author, note, observations };
}

function lacksFocus(focus: JsonValue | undefined, text: JsonValue | undefined): boolean {
  return focus === undefined ? text === undefined : typeof focus !== 'string' || focus.trim() === '';
}

function findTextProblems(text: JsonValue): ObservationProblem[] {
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT_LENGTH) {
    return [{ field: 'text', message: `text must have 1 to ${MAX_TEXT_LENGTH} characters; split what is longer.` }];
  }
  if (Buffer.byteLength(JSON.stringify(text)) > MAX_TEXT_BYTES) {
    return [{ field: 'text', message: 'text has more than 60 KB in UTF-8 JSON; split it.' }];
  }
  const issue = findTextIssue(text);
  return issue ? [{ field: 'text', message: `text ${issue}.` }] : [];
}

/** Validates source, time and external ID of the text like those of an observation. */
function readDefaults({ source, observed_at, external_id }: Body): ObservationDraft {
  const problems: ObservationProblem[] = [];
  const item = { kind: 'event', property: NOTE_PROPERTY, source, observed_at, external_id };
  const read = parseObservation(item, 0, Date.now() * 1000, problems);
  if (!read || problems.length > 0)
    throw HubError.invalidRequest(problems.map(({ field, message }) => ({ field, message })));
  return read;
}

function toNoteEvent(text: string, defaults: ObservationDraft): ObservationDraft {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const description =
    line.length > MAX_EXCERPT_LENGTH
      ? `${line.slice(0, MAX_EXCERPT_LENGTH - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
      : line;
  return { ...defaults, value: { description, text } };
}

function readCitedObservations(raw: JsonValue, { source, observed_at }: Body, hasText: boolean): CitedObservation[] {
  const items = Array.isArray(raw) ? raw : [];
  const problems: ObservationProblem[] = [];
  const evidence = items.map((item, index) => readEvidence(item, index, hasText, problems));
  const plain = items.map(item => {
    if (!isPlainObject(item)) return item;
    const { evidence: _, ...rest } = item;
    return { ...(source !== undefined && { source }), ...(observed_at !== undefined && { observed_at }), ...rest };
  });
  const read = parseObservations(Array.isArray(raw) ? plain : raw, Date.now() * 1000);
  if (!read.ok && read.tooMany !== undefined) throw HubError.batchTooLarge('observations', MAX_BATCH_OBSERVATIONS);
  if (!read.ok) throw HubError.invalidRequest([...problems, ...read.problems]);
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  return read.observations.map((input, i) => ({ input: canonicalizeObservation(input), evidence: evidence[i] }));
}

function readEvidence(
  item: JsonValue,
  index: number,
  hasText: boolean,
  problems: ObservationProblem[],
): string | undefined {
  const evidence = isPlainObject(item) ? item['evidence'] : undefined;
  if (evidence === undefined || evidence === null) return undefined;
  if (typeof evidence !== 'string' || evidence.trim() === '' || evidence.length > MAX_QUOTE_LENGTH) {
    problems.push({
      index,
      field: 'evidence',
      message: `evidence must be a quote of 1 to ${MAX_QUOTE_LENGTH} characters.`,
    });
  } else if (!hasText) {
    problems.push({ index, field: 'evidence', message: 'evidence quotes the text; send text as well.' });
  } else return evidence;
  return undefined;
}
