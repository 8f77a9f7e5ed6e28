import { isPlainObject } from '#domain/observation/json-check.js';
import type { Json } from '#domain/observation/observation.js';
import { type AttributeType, typeOfAttribute } from '#domain/score/attribute-types.js';
import type { Attributes } from '#domain/score/inline.js';
import { HubError, type Problem } from '#kernel/errors/errors.js';
import { mapYielding } from '#kernel/scheduling/yield.js';

/** Most leads of one call. */
export const MAX_LEADS = 1000;

const MOST_ATTRIBUTES = 100;
const LONGEST = 2000;
const NAME = /^[a-z][a-z0-9_.-]{0,79}$/;

/** A lead that is not in the graph, as a caller describes it. */
export interface InlineLead {
  /** What the caller calls it; echoed. */
  readonly ref: string | number | null;
  readonly attributes: Attributes;
}

/** Reads `attributes`. @throws HubError `invalid_request`. */
export function readAttributes(value: Json): InlineLead {
  const problems: Problem[] = [];
  const lead = leadOf(value, 'attributes', problems);
  if (problems.length > 0) throw HubError.invalidRequest(problems);
  return lead;
}

/** The list in `leads`, which `readLeads` reads. @throws HubError `leads_empty`, `batch_too_large`, `invalid_request`. */
export function listOfLeads(value: Json): readonly Json[] {
  if (!Array.isArray(value)) throw HubError.invalidRequest([{ field: 'leads', message: 'leads must be a list.' }]);
  if (value.length === 0) throw new HubError('leads_empty');
  if (value.length > MAX_LEADS) throw HubError.batchTooLarge('leads', MAX_LEADS);
  return value;
}

/** Reads leads, each attributes or `{ref, attributes}`, while others get turns. @throws HubError `invalid_request`. */
export async function readLeads(list: readonly Json[]): Promise<InlineLead[]> {
  const problems: Problem[] = [];
  const leads = await mapYielding(list, (each, i) => leadOf(each, `leads[${i}]`, problems));
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
  const { ref, id, attributes } = value;
  const own = refOf(ref ?? id ?? null, path, problems);
  // Named and left empty, because a copy of the same fields is cheap and one without some of them is not.
  const flat = { ...value, ref: undefined, id: undefined };
  if (attributes === undefined) return { ref: own, attributes: checked(flat, path, problems) };
  if (isPlainObject(attributes)) {
    const inner = { ...flat, attributes: undefined, ...attributes };
    return { ref: own, attributes: checked(inner, `${path}.attributes`, problems) };
  }
  problems.push({ field: `${path}.attributes`, message: `${path}.attributes must be an object.` });
  return { ref: null, attributes: {} };
}

function refOf(ref: Json, path: string, problems: Problem[]): string | number | null {
  if (ref === null || typeof ref === 'number' || (typeof ref === 'string' && ref.length <= 200)) return ref;
  problems.push({ field: `${path}.ref`, message: `${path}.ref must be a text of at most 200 characters or a number.` });
  return null;
}

function checked(attributes: Attributes, path: string, problems: Problem[]): Attributes {
  const before = problems.length;
  let given = 0;
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) given++;
    const type = typeOf(name);
    if (!type) problems.push({ field: path, message: `"${name.slice(0, 80)}" is no name of an attribute.` });
    else if (value !== undefined && value !== null && !type.fits(value)) {
      problems.push({ field: `${path}.${name}`, message: `${path}.${name} must be ${type.wanted}.` });
    } else if (isTooLong(value)) {
      problems.push({ field: `${path}.${name}`, message: `${path}.${name} must have at most ${LONGEST} characters.` });
    }
  }
  if (given > MOST_ATTRIBUTES) {
    problems.splice(before, 0, { field: path, message: `${path} has more than ${MOST_ATTRIBUTES} attributes.` });
  }
  return attributes;
}

/** What names that are some stand for: leads of one list have the same. */
const known = new Map<string, AttributeType>();
const ANYTHING: AttributeType = { wanted: 'anything', fits: () => true };

/** What an attribute takes; undefined for what cannot be the name of one. */
function typeOf(name: string): AttributeType | undefined {
  let type = known.get(name);
  if (type || !NAME.test(name)) return type;
  if (known.size >= 1000) known.clear();
  known.set(name, (type = typeOfAttribute(name) ?? ANYTHING));
  return type;
}

function isTooLong(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.length > LONGEST;
  if (typeof value !== 'object' || value === null || areFewWords(value)) return false;
  return JSON.stringify(value).length > LONGEST;
}

/** A list of which it is plain that it is short enough, however its texts are written. */
function areFewWords(value: Json): boolean {
  return (
    Array.isArray(value) && value.length <= 10 && value.every(word => typeof word === 'string' && word.length <= 30)
  );
}
