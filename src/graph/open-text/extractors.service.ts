import { Injectable, Logger } from '@nestjs/common';
import { quoteFinder } from '#domain/extract/quote-span.js';
import { dropRepeats, extractFromSentence } from '#domain/extract/extract.js';
import { type ReviewReason, type ExtractionContext, type TextSpan } from '#domain/extract/extraction.js';
import { LLM_SCHEMA, LLM_SYSTEM_PROMPT, parseLlmResponse, type RejectedFact } from '#domain/extract/llm-extraction.js';
import type { ExtractionSource } from '#domain/extract/merge-extractions.js';
import { splitSentences } from '#domain/extract/sentences.js';
import { parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import type { JsonValue, ObservationDraft } from '#domain/observation/observation.js';
import { toIso } from '#domain/time/instant.js';
import { remainingMs } from '#kernel/request-context.js';
import { flatMapYielding, mapYielding } from '#kernel/scheduling/yield.js';
import { LlmClient, LlmError } from '#kernel/llm/llm.client.js';
import type { CitedObservation, OpenTextRequest } from './open-text-request.js';

/** What one door has read, before it is decided what becomes of it. */
export interface ExtractedStatement {
  readonly door: ExtractionSource;
  readonly input: ObservationDraft;
  readonly quote: string | null;
  readonly span?: TextSpan;
  readonly doubt?: ReviewReason;
}

/** What the language model had to say. */
export interface LlmExtraction {
  /** `off`: none is set, or there is no text. `failed`: it gave no usable answer, and the rest went on without it. */
  readonly status: 'off' | 'used' | 'failed';
  readonly detail?: string;
  readonly statements: readonly ExtractedStatement[];
  readonly rejected: readonly RejectedFact[];
}

const LLM_TIMEOUT_MS = 6_000;
/** Of what a request may still take; the rest is for the write behind the model. */
const LLM_TIME_SHARE = 1 / 2;
const MAX_METHOD_LENGTH = 100;
/** A character is looked at by some thirty expressions, a quote at up to a thousand places. */
const UNITS_PER_CHARACTER = 32;
const UNITS_PER_QUOTE = 1_000;

/** The doors by which a text becomes observations: the calling agent, rules of ours, and a language model if one is set. */
@Injectable()
export class ExtractorsService {
  private readonly log = new Logger('open-text');

  constructor(private readonly llm: LlmClient) {}

  /** What the caller states; a quote that does not occur in the text is a doubt. */
  fromAgent(observations: readonly CitedObservation[], text: string | undefined): Promise<ExtractedStatement[]> {
    const find = quoteFinder(text ?? '');
    const read = ({ input, evidence }: CitedObservation): ExtractedStatement => {
      if (evidence === undefined || text === undefined) return { door: 'agent', input, quote: null };
      const span = find(evidence);
      if (!span) return { door: 'agent', input, quote: evidence, doubt: 'quote_not_found' };
      return { door: 'agent', input, quote: text.slice(span.start, span.end), span };
    };
    return mapYielding(observations, read, ({ evidence = '' }) => UNITS_PER_QUOTE + evidence.length);
  }

  /** What the rules read. */
  async fromRules(request: OpenTextRequest, context: ExtractionContext): Promise<ExtractedStatement[]> {
    const { text } = request;
    if (text === undefined) return [];
    const read = await flatMapYielding(
      splitSentences(text),
      sentence => extractFromSentence(sentence, text, context),
      ({ plain }) => plain.length * UNITS_PER_CHARACTER,
    );
    const found = dropRepeats(read).filter(({ doubt, value }) => !doubt || !isOwnAddress(value, request.focus));
    return found.map(({ rule, kind, property, quote, start, end, doubt, value }) => ({
      door: 'rules',
      input: toObservationInput(request, kind, property, addDescription(kind, value, quote), `rules:${rule}`),
      quote,
      span: { start, end },
      ...(doubt && { doubt }),
    }));
  }

  /** What the model reads. Never throws: whoever records goes on without it. Not to be called in a transaction. */
  async fromLlm(request: OpenTextRequest, { subject, names, at }: ExtractionContext): Promise<LlmExtraction> {
    const { text } = request;
    if (text === undefined || !this.llm.isConfigured) return { status: 'off', statements: [], rejected: [] };
    const timeoutMs = Math.min(LLM_TIMEOUT_MS, (remainingMs() ?? Infinity) * LLM_TIME_SHARE);
    const about = { contact: { type: subject, names }, written_at: toIso(at), text };
    try {
      const question = { system: LLM_SYSTEM_PROMPT, user: JSON.stringify(about), schema: LLM_SCHEMA, timeoutMs };
      const read = parseLlmResponse(await this.llm.completeJson(question), text);
      if (!read) throw new LlmError('The language model answered in another form than it was asked for.');
      const method = `llm:${this.llm.model}`.slice(0, MAX_METHOD_LENGTH);
      const statements = read.facts.map(({ property, value, quote, span, doubt }): ExtractedStatement => {
        const input = toObservationInput(request, 'state', property, value, method);
        return { door: 'llm', input, quote, span, ...(doubt && { doubt }) };
      });
      return { status: 'used', statements, rejected: read.rejected };
    } catch (error) {
      if (!(error instanceof LlmError)) this.log.warn(String(error));
      const detail = error instanceof LlmError ? error.message : 'The language model cannot be used.';
      return { status: 'failed', detail, statements: [], rejected: [] };
    }
  }
}

function toObservationInput(
  { source, observedAt }: OpenTextRequest,
  kind: ObservationDraft['kind'],
  property: string,
  value: JsonValue,
  method: string,
): ObservationDraft {
  return { kind, property, value, source, method, ...(observedAt !== undefined && { observedAt }) };
}

/** Whose the contact's own address is needs no review. */
function isOwnAddress(value: JsonValue, focus: PreciseFocus): boolean {
  if (typeof value !== 'string' || focus.form === 'uuid') return false;
  const named = parseFocus(value);
  return named.form === focus.form && named.key === focus.key;
}

/** Details of an event say in words what happened. */
function addDescription(kind: ObservationDraft['kind'], value: JsonValue, quote: string): JsonValue {
  const isDetails = kind === 'event' && typeof value === 'object' && value !== null && !Array.isArray(value);
  return isDetails ? { description: quote, ...value } : value;
}
