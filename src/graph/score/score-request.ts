import { isPlainObject, type JsonValue } from '#domain/observation/observation.js';
import { type AttributeType, findAttributeType } from '#domain/score/model.js';
import type { InlineAttributes } from '#domain/score/evidence.js';
import { HubError, type FieldProblem } from '#kernel/errors/hub-error.js';
import { findUnknownFields } from '#kernel/http/request-validation.js';
import { mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';

/** Maximum number of leads of a call. */
export const MAX_LEADS = 1000;

const MAX_ATTRIBUTES = 100;
const MAX_TEXT_LENGTH = 2000;
const ATTRIBUTE_NAME = /^[a-z][a-z0-9_.-]{0,79}$/;

/** A lead that is described by the caller instead of stored in the graph. */
export interface InlineLead {
  /** The caller's reference; returned with the score. */
  readonly ref: string | number | null;
  readonly attributes: InlineAttributes;
}

/** Validates `attributes`. @throws HubError `invalid_request`. */
export function readAttributes(value: JsonValue): InlineLead {
  const problems: FieldProblem[] = [];
  const lead = readLead(value, 'attributes', { problems, types: new AttributeTypes() });
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  return lead;
}

/**
 * Validates that `leads` is a list of acceptable length; {@link readInlineLeads} validates its items.
 * @throws HubError `leads_empty`, `batch_too_large`, `invalid_request`.
 */
export function requireLeadList(value: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(value)) throw HubError.invalidRequest([{ field: 'leads', message: 'leads must be a list.' }]);
  if (value.length === 0) throw new HubError('leads_empty');
  if (value.length > MAX_LEADS) throw HubError.batchTooLarge('leads', MAX_LEADS);
  return value;
}

/**
 * Validates leads, each either attributes or `{ref, attributes}`, yielding to other requests.
 * @throws HubError `invalid_request`.
 */
export async function readInlineLeads(list: readonly JsonValue[]): Promise<InlineLead[]> {
  const problems: FieldProblem[] = [];
  const context = { problems, types: new AttributeTypes() };
  const leads = await mapYielding(list, (each, i) => readLead(each, `leads[${i}]`, context));
  if (problems.length > 0) throw HubError.invalidRequest(problems.slice(0, 50));
  return leads;
}

/** State of reading one request: the problems found so far, and the types of the attributes seen. */
interface ReadContext {
  readonly problems: FieldProblem[];
  readonly types: AttributeTypes;
}

function readLead(value: JsonValue, path: string, context: ReadContext): InlineLead {
  const { problems } = context;
  if (!isPlainObject(value)) {
    problems.push({
      field: path,
      message: `${path} must be an object such as {"title": "VP Sales", "company": "Acme"}.`,
    });
    return { ref: null, attributes: {} };
  }
  const { ref, id, attributes } = value;
  const leadRef = readRef(ref ?? id ?? null, path, problems);
  // Set to undefined instead of removed: copying an object of the same shape is cheap, removing fields is not.
  const flat = { ...value, ref: undefined, id: undefined };
  if (attributes === undefined) return { ref: leadRef, attributes: checkAttributes(flat, path, context) };
  if (isPlainObject(attributes)) {
    const inner = { ...flat, attributes: undefined, ...attributes };
    return { ref: leadRef, attributes: checkAttributes(inner, `${path}.attributes`, context) };
  }
  problems.push({ field: `${path}.attributes`, message: `${path}.attributes must be an object.` });
  return { ref: null, attributes: {} };
}

function readRef(ref: JsonValue, path: string, problems: FieldProblem[]): string | number | null {
  if (ref === null || typeof ref === 'number' || (typeof ref === 'string' && ref.length <= 200)) return ref;
  problems.push({ field: `${path}.ref`, message: `${path}.ref must be a text of at most 200 characters or a number.` });
  return null;
}

function checkAttributes(attributes: InlineAttributes, path: string, context: ReadContext): InlineAttributes {
  const { problems, types } = context;
  const before = problems.length;
  let count = 0;
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) count++;
    const type = types.get(name);
    if (!type) problems.push({ field: path, message: `"${name.slice(0, 80)}" is not a valid attribute name.` });
    else if (value !== undefined && value !== null && !type.accepts(value)) {
      problems.push({ field: `${path}.${name}`, message: `${path}.${name} must be ${type.expected}.` });
    } else if (isTooLong(value)) {
      problems.push({
        field: `${path}.${name}`,
        message: `${path}.${name} must have at most ${MAX_TEXT_LENGTH} characters.`,
      });
    }
  }
  if (count > MAX_ATTRIBUTES) {
    problems.splice(before, 0, { field: path, message: `${path} has more than ${MAX_ATTRIBUTES} attributes.` });
  }
  return attributes;
}

const ANYTHING: AttributeType = { expected: 'anything', accepts: () => true };

/** Types of the attributes of one request. Leads of a list have the same attributes, so each name is looked up once. */
class AttributeTypes {
  private readonly byName = new Map<string, AttributeType>();

  /** Returns the type of an attribute; undefined for an invalid name. */
  get(name: string): AttributeType | undefined {
    let type = this.byName.get(name);
    if (type || !ATTRIBUTE_NAME.test(name)) return type;
    this.byName.set(name, (type = findAttributeType(name) ?? ANYTHING));
    return type;
  }
}

function isTooLong(value: JsonValue | undefined): boolean {
  if (typeof value === 'string') return value.length > MAX_TEXT_LENGTH;
  if (typeof value !== 'object' || value === null || isShortList(value)) return false;
  return JSON.stringify(value).length > MAX_TEXT_LENGTH;
}

/** Returns whether a list is certainly short enough, whatever its JSON escaping. */
function isShortList(value: JsonValue): boolean {
  return (
    Array.isArray(value) && value.length <= 10 && value.every(word => typeof word === 'string' && word.length <= 30)
  );
}

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
