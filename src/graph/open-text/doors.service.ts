import { Injectable, Logger } from '@nestjs/common';
import { spansOf } from '#domain/extract/cited.js';
import { dropRepeats, extractFromSentence } from '#domain/extract/extract.js';
import { type Doubt, type ReadingContext, type Span } from '#domain/extract/extraction.js';
import { LLM_SCHEMA, LLM_TASK, readLlmAnswer, type Rejected } from '#domain/extract/llm-reading.js';
import type { Door } from '#domain/extract/merge-doors.js';
import { sentencesOf } from '#domain/extract/sentences.js';
import { parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import type { Json, ObservationInput } from '#domain/observation/observation.js';
import { toIso } from '#domain/time/instant.js';
import { remainingMs } from '#kernel/context/request-context.js';
import { flatMapYielding, mapYielding } from '#kernel/scheduling/yield.js';
import { LlmClient, LlmFailed } from '#kernel/llm/llm.client.js';
import type { Cited, OpenTextRequest } from './open-text-request.js';

/** What one door has read, before it is decided what becomes of it. */
export interface Reading {
  readonly door: Door;
  readonly input: ObservationInput;
  readonly quote: string | null;
  readonly span?: Span;
  readonly doubt?: Doubt;
}

/** What the language model had to say. */
export interface LlmReading {
  /** `off`: none is set, or there is no text. `failed`: it gave no usable answer, and the rest went on without it. */
  readonly status: 'off' | 'used' | 'failed';
  readonly detail?: string;
  readonly readings: readonly Reading[];
  readonly rejected: readonly Rejected[];
}

const LLM_MS = 6_000;
/** Of what a request may still take; the rest is for the write behind the model. */
const SHARE = 1 / 2;
const MAX_METHOD = 100;
/** A character is looked at by some thirty expressions, a quote at up to a thousand places. */
const UNITS_PER_CHARACTER = 32;
const UNITS_PER_QUOTE = 1_000;

/** The doors by which a text becomes observations: the calling agent, rules of ours, and a language model if one is set. */
@Injectable()
export class DoorsService {
  private readonly log = new Logger('open-text');

  constructor(private readonly llm: LlmClient) {}

  /** What the caller states; a quote that does not occur in the text is a doubt. */
  byAgent(observations: readonly Cited[], text: string | undefined): Promise<Reading[]> {
    const find = spansOf(text ?? '');
    const read = ({ input, evidence }: Cited): Reading => {
      if (evidence === undefined || text === undefined) return { door: 'agent', input, quote: null };
      const span = find(evidence);
      if (!span) return { door: 'agent', input, quote: evidence, doubt: 'quote_not_found' };
      return { door: 'agent', input, quote: text.slice(span.start, span.end), span };
    };
    return mapYielding(observations, read, ({ evidence = '' }) => UNITS_PER_QUOTE + evidence.length);
  }

  /** What the rules read. */
  async byRules(request: OpenTextRequest, context: ReadingContext): Promise<Reading[]> {
    const { text } = request;
    if (text === undefined) return [];
    const read = await flatMapYielding(
      sentencesOf(text),
      sentence => extractFromSentence(sentence, text, context),
      ({ plain }) => plain.length * UNITS_PER_CHARACTER,
    );
    const found = dropRepeats(read).filter(({ doubt, value }) => !doubt || !isFocus(value, request.focus));
    return found.map(({ rule, kind, property, quote, start, end, doubt, value }) => ({
      door: 'rules',
      input: inputOf(request, kind, property, describedBy(kind, value, quote), `rules:${rule}`),
      quote,
      span: { start, end },
      ...(doubt && { doubt }),
    }));
  }

  /** What the model reads. Never throws: whoever records goes on without it. Not to be called in a transaction. */
  async byLlm(request: OpenTextRequest, { subject, names, at }: ReadingContext): Promise<LlmReading> {
    const { text } = request;
    if (text === undefined || !this.llm.isSet) return { status: 'off', readings: [], rejected: [] };
    const timeoutMs = Math.min(LLM_MS, (remainingMs() ?? Infinity) * SHARE);
    const about = { contact: { type: subject, names }, written_at: toIso(at), text };
    try {
      const question = { system: LLM_TASK, user: JSON.stringify(about), schema: LLM_SCHEMA, timeoutMs };
      const read = readLlmAnswer(await this.llm.json(question), text);
      if (!read) throw new LlmFailed('The language model answered in another form than it was asked for.');
      const method = `llm:${this.llm.model}`.slice(0, MAX_METHOD);
      const readings = read.facts.map(({ property, value, quote, span, doubt }): Reading => {
        const input = inputOf(request, 'state', property, value, method);
        return { door: 'llm', input, quote, span, ...(doubt && { doubt }) };
      });
      return { status: 'used', readings, rejected: read.rejected };
    } catch (error) {
      if (!(error instanceof LlmFailed)) this.log.warn(String(error));
      const detail = error instanceof LlmFailed ? error.message : 'The language model cannot be used.';
      return { status: 'failed', detail, readings: [], rejected: [] };
    }
  }
}

function inputOf(
  { source, observedAt }: OpenTextRequest,
  kind: ObservationInput['kind'],
  property: string,
  value: Json,
  method: string,
): ObservationInput {
  return { kind, property, value, source, method, ...(observedAt !== undefined && { observedAt }) };
}

/** Whose the contact's own address is needs no review. */
function isFocus(value: Json, focus: PreciseFocus): boolean {
  if (typeof value !== 'string' || focus.form === 'uuid') return false;
  const named = parseFocus(value);
  return named.form === focus.form && named.key === focus.key;
}

/** Details of an event say in words what happened. */
function describedBy(kind: ObservationInput['kind'], value: Json, quote: string): Json {
  const isDetails = kind === 'event' && typeof value === 'object' && value !== null && !Array.isArray(value);
  return isDetails ? { description: quote, ...value } : value;
}
