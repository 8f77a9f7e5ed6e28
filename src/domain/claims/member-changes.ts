import type { JsonValue } from '#domain/observation/observation.js';
import { isPlainObject } from '#domain/observation/value-issue.js';

/** One value of a many-valued property that a statement adds or ends. */
export interface MemberChange {
  value: JsonValue;
  ended: boolean;
}

/** Ends one value of many: `{"$end": value}`. */
const END_MARKER = '$end';

/**
 * Parses a statement about a many-valued property: an array adds each member, `{"$end": value}` ends that value (or
 * each member of an array), anything else adds itself. Null members are ignored. A statement that is null as a whole
 * ends all values and has no members.
 */
export function parseMemberChanges(value: JsonValue): MemberChange[] {
  return Array.isArray(value) ? value.flatMap(parseMemberChange) : parseMemberChange(value);
}

function parseMemberChange(value: JsonValue): MemberChange[] {
  const ending = isPlainObject(value) && Object.keys(value).length === 1 ? value[END_MARKER] : undefined;
  const ends = Array.isArray(ending) ? ending : ending === undefined ? [] : [ending];
  const members = ending === undefined ? [{ value, ended: false }] : ends.map(end => ({ value: end, ended: true }));
  return members.filter(member => member.value !== null);
}
