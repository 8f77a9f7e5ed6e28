import { isPlainObject } from '#domain/observation/value-issue.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { type AttributeType, findAttributeType } from '#domain/score/attribute-types.js';
import type { InlineAttributes } from '#domain/score/inline-evidence.js';
import { HubError, type FieldProblem } from '#kernel/errors/hub-error.js';
import { mapYielding } from '#kernel/scheduling/yield.js';

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
