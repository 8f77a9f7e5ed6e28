import { hash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { canonicalKey } from '#domain/comparison/canonical-key.js';
import type { MergedExtraction, ExtractionSource } from '#domain/extract/merge-extractions.js';
import type { JsonValue, ObservationDraft } from '#domain/observation/observation.js';
import { quoteFinder } from '#domain/extract/quote-span.js';
import { dropRepeats, extractFromSentence } from '#domain/extract/extract.js';
import type { ReviewReason, ExtractionContext, TextSpan } from '#domain/extract/extraction.js';
import { LLM_SCHEMA, LLM_SYSTEM_PROMPT, parseLlmResponse, type RejectedFact } from '#domain/extract/llm-extraction.js';
import { extractSignature } from '#domain/extract/signature.js';
import { splitSentences } from '#domain/extract/sentences.js';
import { parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { toIso } from '#domain/time/instant.js';
import { remainingMs } from '#kernel/request-context.js';
import { flatMapYielding, mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { LlmClient, LlmError } from '#kernel/llm/llm.client.js';
import type { OpenTextRequest, CitedObservation } from './open-text-request.js';

const KEY_DIGITS = 12;

/**
 * Returns the observations to append for a text: the text itself, if it is recorded as an event, then the extractions
 * with quote and methods in `raw`. If the text has an external ID, each extraction gets one derived from it and from its
 * property and value, so the same text sent again adds only extractions that are new since.
 */
export function withExternalIds(
  { text, note, externalId }: Pick<OpenTextRequest, 'text' | 'note' | 'externalId'>,
  extractions: readonly MergedExtraction[],
): { observations: ObservationDraft[]; noted: 0 | 1 } {
  const extracted = extractions.map(({ source, input, quote, methods }) => {
    const raw: Record<string, JsonValue> = {
      ...input.raw,
      ...(text !== undefined && { read: { source, quote, methods: [...methods] } }),
    };
    const extractionId =
      input.externalId ?? (externalId === undefined ? undefined : deriveExternalId(externalId, input));
    return {
      ...input,
      ...(Object.keys(raw).length > 0 && { raw }),
      ...(extractionId !== undefined && { externalId: extractionId }),
    };
  });
  return note ? { observations: [note, ...extracted], noted: 1 } : { observations: extracted, noted: 0 };
}

function deriveExternalId(externalId: string, { property, value }: ObservationDraft): string {
  return `${externalId}/${hash('sha256', `${property} ${canonicalKey(value)}`).slice(0, KEY_DIGITS)}`;
}

/** A statement from one extraction source, before it is decided whether to record it. */
export interface ExtractedStatement {
  readonly source: ExtractionSource;
  readonly input: ObservationDraft;
  readonly quote: string | null;
  readonly span?: TextSpan;
  readonly reviewReason?: ReviewReason;
}

/** Result of the extraction by the language model. */
export interface LlmExtraction {
  /** `off`: no model is configured, or there is no text. `failed`: the model returned no usable result. */
  readonly status: 'off' | 'used' | 'failed';
  readonly detail?: string;
  readonly statements: readonly ExtractedStatement[];
  readonly rejected: readonly RejectedFact[];
}

const LLM_TIMEOUT_MS = 6_000;
/** Maximum share of the request's remaining time for the model; the rest is for the write. */
const LLM_TIME_SHARE = 1 / 2;
const MAX_METHOD_LENGTH = 100;
/** Work units: about 30 expressions read each character, and a quote is compared at up to 1,000 positions. */
const UNITS_PER_CHARACTER = 32;
const UNITS_PER_QUOTE = 1_000;

/** Extracts observations from a text: those of the calling agent, by rules, and by the language model if configured. */
@Injectable()
export class ExtractorsService {
  private readonly log = new Logger('open-text');

  constructor(private readonly llm: LlmClient) {}

  /** Returns the caller's observations. Those whose quote is not in the text need review. */
  fromAgent(observations: readonly CitedObservation[], text: string | undefined): Promise<ExtractedStatement[]> {
    const find = quoteFinder(text ?? '');
    const read = ({ input, evidence }: CitedObservation): ExtractedStatement => {
      if (evidence === undefined || text === undefined) return { source: 'agent', input, quote: null };
      const span = find(evidence);
      if (!span) return { source: 'agent', input, quote: evidence, reviewReason: 'quote_not_found' };
      return { source: 'agent', input, quote: text.slice(span.start, span.end), span };
    };
    return mapYielding(observations, read, ({ evidence = '' }) => UNITS_PER_QUOTE + evidence.length);
  }

  /** Extracts statements from the text by rules. */
  async fromRules(request: OpenTextRequest, context: ExtractionContext): Promise<ExtractedStatement[]> {
    const { text } = request;
    if (text === undefined) return [];
    const matches = await flatMapYielding(
      splitSentences(text),
      sentence => extractFromSentence(sentence, text, context),
      ({ plain }) => plain.length * UNITS_PER_CHARACTER,
    );
    const statements = dropRepeats([...matches, ...extractSignature(text, context)]).filter(
      ({ reviewReason, value }) => !reviewReason || !isOwnAddress(value, request.focus),
    );
    return statements.map(({ rule, kind, property, quote, start, end, reviewReason, value }) => ({
      source: 'rules',
      input: toObservationInput(request, kind, property, addDescription(kind, value, quote), `rules:${rule}`),
      quote,
      span: { start, end },
      ...(reviewReason && { reviewReason }),
    }));
  }

  /**
   * Extracts statements from the text by the language model. Never throws: recording goes on without the model. Must not
   * be called in a transaction.
   */
  async fromLlm(request: OpenTextRequest, { subject, names, at }: ExtractionContext): Promise<LlmExtraction> {
    const { text } = request;
    if (text === undefined || !this.llm.isConfigured) return { status: 'off', statements: [], rejected: [] };
    const timeoutMs = Math.min(LLM_TIMEOUT_MS, (remainingMs() ?? Infinity) * LLM_TIME_SHARE);
    const prompt = { contact: { type: subject, names }, written_at: toIso(at), text };
    try {
      const query = { system: LLM_SYSTEM_PROMPT, user: JSON.stringify(prompt), schema: LLM_SCHEMA, timeoutMs };
      const response = parseLlmResponse(await this.llm.completeJson(query), text);
      if (!response) throw new LlmError('The response of the language model does not match the requested schema.');
      const method = `llm:${this.llm.model}`.slice(0, MAX_METHOD_LENGTH);
      const statements = response.facts.map(({ property, value, quote, span, reviewReason }): ExtractedStatement => {
        const input = toObservationInput(request, 'state', property, value, method);
        return { source: 'llm', input, quote, span, ...(reviewReason && { reviewReason }) };
      });
      return { status: 'used', statements, rejected: response.rejected };
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

/** Returns whether a value is the identifier of the focus itself, which needs no review. */
function isOwnAddress(value: JsonValue, focus: PreciseFocus): boolean {
  if (typeof value !== 'string' || focus.form === 'uuid') return false;
  const other = parseFocus(value);
  return other.form === focus.form && other.key === focus.key;
}

/** Adds the quote as the description of an event, unless its details have one. */
function addDescription(kind: ObservationDraft['kind'], value: JsonValue, quote: string): JsonValue {
  const isDetails = kind === 'event' && typeof value === 'object' && value !== null && !Array.isArray(value);
  return isDetails ? { description: quote, ...value } : value;
}
