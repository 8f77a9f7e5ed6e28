import type { Json } from '#domain/observation/observation.js';
import { attributeOf } from './inline.js';

/** What an attribute takes, in words, and whether a value is that. */
export interface AttributeType {
  readonly wanted: string;
  readonly fits: (value: Json) => boolean;
}

const isText = (value: Json) => typeof value === 'string';
const text: AttributeType = {
  wanted: 'a text, or a list of texts',
  fits: value => typeof value === 'string' || (Array.isArray(value) && value.every(isText)),
};
const number: AttributeType = {
  wanted: 'a number, or a text such as "51-200"',
  fits: value => typeof value === 'number' || typeof value === 'string',
};
const truth: AttributeType = { wanted: 'true or false', fits: value => typeof value === 'boolean' };

/** By canonical name. Any other attribute is a property of the workspace's own, whose values may be anything. */
const types = new Map<string, AttributeType>([
  ...[
    'identifier focus email linkedin_url domain company_domain website name first_name last_name title company headline',
    'keywords seniority department industry location city country region stage status role company_type email_status',
    'technologies competitors pain_points tags products languages intent',
  ].flatMap(line => line.split(' ').map(name => [name, text] as const)),
  ['headcount', number],
  ['phone', { wanted: 'a text or a number', fits: number.fits }],
  ['unsubscribed', truth],
  ['do_not_contact', truth],
]);

/** What an attribute takes; undefined where that is anything. */
export function typeOfAttribute(name: string): AttributeType | undefined {
  return types.get(name) ?? types.get(attributeOf(name));
}
