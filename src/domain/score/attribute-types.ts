import type { JsonValue } from '#domain/observation/observation.js';
import { canonicalAttribute } from './inline-evidence.js';

/** Description of the expected type, and a check for it. */
export interface AttributeType {
  readonly expected: string;
  readonly accepts: (value: JsonValue) => boolean;
}

const isText = (value: JsonValue) => typeof value === 'string';
const textType: AttributeType = {
  expected: 'a text, or a list of texts',
  accepts: value => typeof value === 'string' || (Array.isArray(value) && value.every(isText)),
};
const numberType: AttributeType = {
  expected: 'a number, or a text such as "51-200"',
  accepts: value => typeof value === 'number' || typeof value === 'string',
};
const booleanType: AttributeType = { expected: 'true or false', accepts: value => typeof value === 'boolean' };

/** By canonical name. Any other attribute is a custom property with arbitrary values. */
const attributeTypes = new Map<string, AttributeType>([
  ...[
    'identifier focus email linkedin_url domain company_domain website name first_name last_name title company headline',
    'keywords seniority department industry location city country region stage status role company_type email_status',
    'technologies competitors pain_points tags products languages intent',
  ].flatMap(line => line.split(' ').map(name => [name, textType] as const)),
  ['headcount', numberType],
  ['phone', { expected: 'a text or a number', accepts: numberType.accepts }],
  ['unsubscribed', booleanType],
  ['do_not_contact', booleanType],
]);

/** Returns the expected type of an attribute; undefined if it accepts anything. */
export function findAttributeType(name: string): AttributeType | undefined {
  return attributeTypes.get(name) ?? attributeTypes.get(canonicalAttribute(name));
}
