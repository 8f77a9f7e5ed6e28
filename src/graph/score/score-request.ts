import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/errors/unknown-fields.js';
import { type InlineLead, requireLeadList, readAttributes } from './inline-request.js';

/** Maximum number of entities of a call. */
export const MAX_IDENTIFIERS = 100;

/** The leads to score: entities of the graph, by identifier or lead ID, or leads that the caller describes. */
export type ScoreSubjects =
  | { readonly form: 'identifier'; readonly identifier: string }
  | { readonly form: 'lead'; readonly leadId: string }
  | { readonly form: 'identifiers'; readonly identifiers: readonly string[] }
  | { readonly form: 'attributes'; readonly lead: InlineLead }
  /** Leads as sent; `readInlineLeads` validates them. */
  | { readonly form: 'leads'; readonly leads: readonly JsonValue[] };

/** A validated request to score. */
export interface ScoreRequest {
  readonly subjects: ScoreSubjects;
  /** Whether layers include their reasons. */
  readonly explain: boolean;
  /** ID of the expected model; the request is rejected if the workspace has another one. */
  readonly modelId: string | undefined;
  /** With `knownAt`: scores as of this time and writes nothing. */
  readonly asOf: Instant | undefined;
  readonly knownAt: Instant | undefined;
  /** Returns the scores and writes nothing. */
  readonly dryRun: boolean;
}

const SUBJECT_FIELDS = ['identifier', 'focus', 'lead_id', 'identifiers', 'attributes', 'leads'] as const;
const OPTION_FIELDS = ['icp_model_id', 'explain', 'as_of', 'known_at', 'dry_run', 'intent'];
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Fields = Readonly<Record<string, JsonValue>>;

/**
 * Validates the body of a REST or tool call: exactly one of identifier (or focus), lead_id, identifiers, attributes,
 * leads.
 * @throws HubError `identifier_required`, `identifiers_empty`, `leads_empty`, `batch_too_large`, `invalid_request`.
 */
export function readScoreRequest(body: unknown): ScoreRequest {
  if (!isPlainObject(body)) throw new HubError('identifier_required');
  rejectUnknownFields(body);
  const fields = SUBJECT_FIELDS.filter(field => body[field] !== undefined && body[field] !== null);
  const [shape] = fields;
  if (shape === undefined) throw new HubError('identifier_required');
  if (fields.length > 1) {
    const message = `Send one of ${SUBJECT_FIELDS.join(', ')}; these are ${fields.join(' and ')}.`;
    throw HubError.invalidRequest(fields.map(field => ({ field, message })));
  }
  readText(body, 'intent', 500);
  return {
    subjects: parseSubjects(shape, body),
    explain: readFlag(body, 'explain') ?? shape !== 'leads',
    modelId: readText(body, 'icp_model_id'),
    asOf: readInstant(body, 'as_of'),
    knownAt: readInstant(body, 'known_at'),
    dryRun: readFlag(body, 'dry_run') ?? false,
  };
}

function rejectUnknownFields(body: Fields): void {
  const unknown = findUnknownFields(body, [...SUBJECT_FIELDS, ...OPTION_FIELDS]);
  if (unknown.length > 0) throw HubError.invalidRequest(unknown);
}

function parseSubjects(shape: (typeof SUBJECT_FIELDS)[number], body: Fields): ScoreSubjects {
  switch (shape) {
    case 'identifier':
    case 'focus':
      return { form: 'identifier', identifier: parseIdentifierText(body[shape]!, shape) };
    case 'lead_id':
      return { form: 'lead', leadId: parseLeadId(body[shape]!) };
    case 'identifiers':
      return { form: 'identifiers', identifiers: parseIdentifierTexts(body[shape]!) };
    case 'attributes':
      return { form: 'attributes', lead: readAttributes(body[shape]!) };
    case 'leads':
      return { form: 'leads', leads: requireLeadList(body[shape]!) };
  }
}

function parseIdentifierText(value: JsonValue, field: string): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= 2048) return value;
  if (typeof value === 'string' && value.trim() === '') throw new HubError('identifier_required');
  throw HubError.invalidField(
    field,
    `${field} must be an e-mail address, a domain, a LinkedIn URL, an entity id or a name.`,
  );
}

function parseIdentifierTexts(value: JsonValue): string[] {
  if (!Array.isArray(value)) throw HubError.invalidField('identifiers', 'identifiers must be a list of texts.');
  if (value.length === 0) throw new HubError('identifiers_empty');
  if (value.length > MAX_IDENTIFIERS) throw HubError.batchTooLarge('identifiers', MAX_IDENTIFIERS);
  return value.map((each, i) => parseIdentifierText(each, `identifiers[${i}]`));
}

function parseLeadId(value: JsonValue): string {
  if (typeof value === 'string' && UUID.test(value)) return value.toLowerCase();
  throw HubError.invalidField('lead_id', 'lead_id must be the id of a lead, a UUID.');
}

function readFlag(body: Fields, field: string): boolean | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || typeof value === 'boolean') return value;
  throw HubError.invalidField(field, `${field} must be true or false.`);
}

function readText(body: Fields, field: string, maxLength = 100): string | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined || (typeof value === 'string' && value.length <= maxLength)) return value;
  throw HubError.invalidField(field, `${field} must be a text of at most ${maxLength} characters.`);
}

function readInstant(body: Fields, field: string): Instant | undefined {
  const value = body[field] ?? undefined;
  if (value === undefined) return undefined;
  const read = typeof value === 'string' ? parseInstant(value) : undefined;
  if (read !== undefined) return read;
  throw HubError.invalidField(field, `${field} must be an ISO 8601 date or time, such as 2026-11-20T09:30:00Z.`);
}
