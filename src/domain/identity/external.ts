import { hasControlCharacters } from './focus-text.js';
import { toInvalidFocus, type EntityType, type ExternalFocus, type InvalidFocus } from './types.js';

/** Maximum length of an ID in another system. Same maximum as for any other focus. */
const MAX_SYSTEM_ID_LENGTH = 320;

const PREFIX = /^external:/i;
const SYSTEM = /^[a-z][a-z0-9_.-]{0,63}$/;
/** Types of entities can stand before the system, so no system has their names. */
const TYPE_NAMES: ReadonlySet<string> = new Set<EntityType>(['person', 'company']);

/** Returns whether a text names a system: lower case, as `hubspot`. */
export function isSystemName(text: string): boolean {
  return SYSTEM.test(text) && !TYPE_NAMES.has(text);
}

/**
 * Returns the ID that an entity has in another system as a focus; undefined if the ID is blank, longer than {@link
 * MAX_SYSTEM_ID_LENGTH} or has control characters, or if the system has no valid name. IDs are case-sensitive.
 */
export function toExternalFocus(system: string, given: string, entityType: EntityType): ExternalFocus | undefined {
  const id = given.trim();
  if (id === '' || id.length > MAX_SYSTEM_ID_LENGTH || hasControlCharacters(id) || !isSystemName(system))
    return undefined;
  const value = `${system}:${id}`;
  return { form: 'external', system, id, entityType, value, key: `${entityType}:${value}` };
}

/**
 * Parses `external:<system>:<id>`, which identifies a person, or `external:company:<system>:<id>`. Undefined for any
 * other text.
 */
export function parseExternal(text: string): ExternalFocus | InvalidFocus | undefined {
  if (!PREFIX.test(text)) return undefined;
  const [first = '', ...others] = text.slice('external:'.length).split(':');
  const type = TYPE_NAMES.has(first.toLowerCase()) ? (first.toLowerCase() as EntityType) : undefined;
  const [system = '', ...id] = type ? others : [first, ...others];
  return (
    toExternalFocus(system.toLowerCase(), id.join(':'), type ?? 'person') ??
    toInvalidFocus(
      'An ID of another system is written external:<system>:<id>, such as external:hubspot:501, or ' +
        'external:company:<system>:<id>; a system has lower-case letters, digits, "_", "." and "-", and an ID at most ' +
        `${MAX_SYSTEM_ID_LENGTH} characters.`,
    )
  );
}

/** Returns the text of a focus that {@link parseExternal} parses. */
export function formatExternal({ entityType, value }: ExternalFocus): string {
  return entityType === 'person' ? `external:${value}` : `external:${entityType}:${value}`;
}
