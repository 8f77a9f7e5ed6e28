import { isPrecise, parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { flawOfText, isPlainObject } from '#domain/observation/json-check.js';
import type { Json, ObservationInput, Problem } from '#domain/observation/observation.js';
import { MAX_BATCH } from '#domain/observation/observation.js';
import { readObservation } from '#domain/observation/read-observation.js';
import { readObservations } from '#domain/observation/read-observations.js';
import { HubError } from '#kernel/errors/errors.js';
import { unknownFields } from '#kernel/errors/unknown-fields.js';
import { canonicalObservation } from '../aliases/canonical-observation.js';

/** Most characters of a text, of a quote, and of the key of the source system. */
export const MAX_TEXT = 50_000;
const MAX_TEXT_BYTES = 60 * 1024;
export const MAX_QUOTE = 2_000;
export const MAX_KEY = 400;

/** An observation of the caller, with the words of the text that it is read from. */
export interface Cited {
  readonly input: ObservationInput;
  readonly evidence: string | undefined;
}

/** A checked wish to record what a text says. */
export interface OpenTextRequest {
  readonly focus: PreciseFocus;
  /** What is read; undefined where only observations were sent. */
  readonly text: string | undefined;
  /** The text as an event of its own, where it is to be kept as one. */
  readonly note: ObservationInput | undefined;
  readonly observations: readonly Cited[];
  /** Defaults of what is read in the text. */
  readonly source: string;
  readonly observedAt: number | undefined;
  readonly externalId: string | undefined;
  readonly dryRun: boolean;
}

/** The same before it is known whom a text without a focus is about. */
export type OpenTextWish = Omit<OpenTextRequest, 'focus'> & { readonly focus: PreciseFocus | undefined };

const FIELDS = ['focus', 'text', 'observations', 'observed_at', 'source', 'external_id', 'dry_run'];
const NOTE = 'interaction.note';
const EXCERPT = 160;

type Body = Readonly<Record<string, Json | undefined>>;

/**
 * Reads the body of a call that records from text, from whichever door.
 * @throws HubError naming every field that cannot be accepted; nothing is recorded then.
 */
export function readOpenTextRequest(raw: unknown): OpenTextWish {
  const body: Body = isPlainObject(raw) ? raw : {};
  const { focus, text, observations, dry_run: dryRun = false } = body;
  const problems: Problem[] = unknownFields(body, FIELDS);
  if (typeof dryRun !== 'boolean') problems.push({ field: 'dry_run', message: 'dry_run must be true or false.' });
  const key = body['external_id'];
  if (typeof key === 'string' && key.length > MAX_KEY) {
    problems.push({ field: 'external_id', message: `external_id has at most ${MAX_KEY} characters here.` });
  }
  if (text !== undefined) problems.push(...problemsOfText(text));
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  if (lacksFocus(focus, text) || (text === undefined && observations === undefined)) {
    throw new HubError('focus_and_observations_required', {
      detail: 'Send focus, and text or observations or both. A text that names one person by address needs no focus.',
    });
  }
  const defaults = defaultsIn(body);
  const isRead = typeof text === 'string';
  return {
    focus: typeof focus === 'string' ? preciseFocusOf(focus) : undefined,
    text: isRead ? text : undefined,
    note: isRead ? noteOf(text, defaults) : undefined,
    observations: observations === undefined ? [] : citedOf(observations, body, isRead),
    source: defaults.source,
    observedAt: defaults.observedAt,
    externalId: defaults.externalId,
    dryRun: dryRun === true,
  };
}

function lacksFocus(focus: Json | undefined, text: Json | undefined): boolean {
  return focus === undefined ? text === undefined : typeof focus !== 'string' || focus.trim() === '';
}

function problemsOfText(text: Json): Problem[] {
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT) {
    return [{ field: 'text', message: `text must have 1 to ${MAX_TEXT} characters; split what is longer.` }];
  }
  if (Buffer.byteLength(JSON.stringify(text)) > MAX_TEXT_BYTES) {
    return [{ field: 'text', message: 'text has more than 60 KB in UTF-8 JSON; split it.' }];
  }
  const flaw = flawOfText(text);
  return flaw ? [{ field: 'text', message: `text ${flaw}.` }] : [];
}

/** Source, time and key of the call are checked as those of an observation are. */
function defaultsIn({ source, observed_at, external_id }: Body): ObservationInput {
  const problems: Problem[] = [];
  const item = { kind: 'event', property: NOTE, source, observed_at, external_id };
  const read = readObservation(item, 0, Date.now() * 1000, problems);
  if (!read || problems.length > 0)
    throw HubError.invalidRequest(problems.map(({ field, message }) => ({ field, message })));
  return read;
}

function noteOf(text: string, defaults: ObservationInput): ObservationInput {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  const description = line.length > EXCERPT ? `${line.slice(0, EXCERPT - 1).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
  return { ...defaults, value: { description, text } };
}

function citedOf(raw: Json, { source, observed_at }: Body, hasText: boolean): Cited[] {
  const items = Array.isArray(raw) ? raw : [];
  const problems: Problem[] = [];
  const evidence = items.map((item, index) => evidenceOf(item, index, hasText, problems));
  const plain = items.map(item => {
    if (!isPlainObject(item)) return item;
    const { evidence: _, ...rest } = item;
    return { ...(source !== undefined && { source }), ...(observed_at !== undefined && { observed_at }), ...rest };
  });
  const read = readObservations(Array.isArray(raw) ? plain : raw, Date.now() * 1000);
  if (!read.ok && read.tooMany !== undefined) throw HubError.batchTooLarge('observations', MAX_BATCH);
  if (!read.ok) throw HubError.invalidRequest([...problems, ...read.problems]);
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  return read.observations.map((input, i) => ({ input: canonicalObservation(input), evidence: evidence[i] }));
}

function evidenceOf(item: Json, index: number, hasText: boolean, problems: Problem[]): string | undefined {
  const given = isPlainObject(item) ? item['evidence'] : undefined;
  if (given === undefined || given === null) return undefined;
  if (typeof given !== 'string' || given.trim() === '' || given.length > MAX_QUOTE) {
    problems.push({ index, field: 'evidence', message: `evidence must be a quote of 1 to ${MAX_QUOTE} characters.` });
  } else if (!hasText) {
    problems.push({ index, field: 'evidence', message: 'evidence quotes the text; send text as well.' });
  } else return given;
  return undefined;
}

function preciseFocusOf(text: string): PreciseFocus {
  const focus = parseFocus(text);
  if (isPrecise(focus)) return focus;
  throw HubError.invalidFocus(focus.form === 'invalid' ? focus.reason : undefined);
}
