import type { Json } from '#domain/observation/observation.js';
import { isPlainObject } from '#domain/observation/json-check.js';

/** One value of a many-valued property that a statement adds or ends. */
export interface Member {
  value: Json;
  ended: boolean;
}

/** How a statement ends one value of many: `{"$end": value}`. */
const END = '$end';

/**
 * What a statement says about the values of a many-valued property: an array speaks of each member, `{"$end": value}`
 * ends that value (or each of an array), anything else adds itself. Null among members says nothing; a statement that
 * is null as a whole ends everything and has no members.
 */
export function membersOf(value: Json): Member[] {
  return Array.isArray(value) ? value.flatMap(memberOf) : memberOf(value);
}

function memberOf(value: Json): Member[] {
  const ending = isPlainObject(value) && Object.keys(value).length === 1 ? value[END] : undefined;
  const ends = Array.isArray(ending) ? ending : ending === undefined ? [] : [ending];
  const members = ending === undefined ? [{ value, ended: false }] : ends.map(end => ({ value: end, ended: true }));
  return members.filter(member => member.value !== null);
}
