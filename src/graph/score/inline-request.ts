import { isPlainObject } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';
import { HubError, type Problem } from '#kernel/errors/errors.js';

/** Most leads of one call. */
export const MAX_LEADS = 1000;

const MOST_ATTRIBUTES = 100;
const LONGEST = 2000;
const NAME = /^[a-z][a-z0-9_.-]{0,79}$/;

/** A lead that is not in the graph, as a caller describes it. */
export interface InlineLead {
  /** What the caller calls it; echoed. */
  readonly ref: string | number | null;
  readonly attributes: Readonly<Record<string, Json>>;
}

/** Reads `attributes`. @throws HubError `invalid_request`. */
export function readAttributes(value: Json): InlineLead {
  const problems: Problem[] = [];
  const lead = leadOf(value, 'attributes', problems);
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  return lead;
}

/** Reads `leads`: attributes, or `{ref, attributes}`. @throws HubError `leads_empty`, `batch_too_large`, `invalid_request`. */
export function readLeads(value: Json): InlineLead[] {
  if (!Array.isArray(value)) throw HubError.invalidRequest([{ field: 'leads', message: 'leads must be a list.' }]);
  if (value.length === 0) throw new HubError('leads_empty');
  if (value.length > MAX_LEADS) throw HubError.batchTooLarge(MAX_LEADS);
  const problems: Problem[] = [];
  const leads = value.map((each, i) => leadOf(each, `leads[${i}]`, problems));
  if (problems.length > 0) throw HubError.invalidRequest(problems.slice(0, 50));
  return leads;
}

function leadOf(value: Json, path: string, problems: Problem[]): InlineLead {
  if (!isPlainObject(value)) {
    problems.push({
      field: path,
      message: `${path} must be an object such as {"title": "VP Sales", "company": "Acme"}.`,
    });
    return { ref: null, attributes: {} };
  }
  const { ref, id, attributes, ...flat } = value;
  const own = ref ?? id ?? null;
  if (attributes === undefined) return { ref: refOf(own, path, problems), attributes: checked(flat, path, problems) };
  if (isPlainObject(attributes)) {
    const inner = checked({ ...flat, ...attributes }, `${path}.attributes`, problems);
    return { ref: refOf(own, path, problems), attributes: inner };
  }
  problems.push({ field: `${path}.attributes`, message: `${path}.attributes must be an object.` });
  return { ref: null, attributes: {} };
}

function refOf(ref: Json, path: string, problems: Problem[]): string | number | null {
  if (ref === null || typeof ref === 'number' || (typeof ref === 'string' && ref.length <= 200)) return ref;
  problems.push({ field: `${path}.ref`, message: `${path}.ref must be a text of at most 200 characters or a number.` });
  return null;
}

function checked(attributes: Record<string, Json>, path: string, problems: Problem[]): Record<string, Json> {
  const given = Object.keys(attributes);
  if (given.length > MOST_ATTRIBUTES) {
    problems.push({ field: path, message: `${path} has more than ${MOST_ATTRIBUTES} attributes.` });
  }
  for (const name of given) {
    if (!isName(name)) problems.push({ field: path, message: `"${name.slice(0, 80)}" is no name of an attribute.` });
    if (isTooLong(attributes[name]!)) {
      problems.push({ field: `${path}.${name}`, message: `${path}.${name} must have at most ${LONGEST} characters.` });
    }
  }
  return attributes;
}

/** Names that are known to be some: leads of one list have the same. */
const names = new Set<string>();

function isName(text: string): boolean {
  if (names.has(text)) return true;
  if (!NAME.test(text)) return false;
  if (names.size >= 1000) names.clear();
  names.add(text);
  return true;
}

function isTooLong(value: Json): boolean {
  if (typeof value === 'string') return value.length > LONGEST;
  return typeof value === 'object' && value !== null && JSON.stringify(value).length > LONGEST;
}
