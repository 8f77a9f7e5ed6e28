import type { SyncField } from './types.ts';

/** Kinds of records whose fields are mapped. */
export const MAPPED_OBJECTS = ['contacts', 'companies'] as const;
export type MappedObject = (typeof MAPPED_OBJECTS)[number];

/** Which ways the values of a field travel. */
export const DIRECTIONS = ['both', 'pull', 'push'] as const;
export type Direction = (typeof DIRECTIONS)[number];

/** What decides where both sides have a value. */
export const WIN_RULES = ['claims', 'newest', 'blanks', 'crm', 'review'] as const;
export type WinRule = (typeof WIN_RULES)[number];

/** The setting `field_map`: what is synced beside the standard fields, by property. */
export type FieldMap = Readonly<Record<string, unknown>>;

/** How a field is synced. */
export interface FieldChoice {
  readonly property: string;
  /** Undefined: as is usual for the field. */
  readonly direction: Direction | undefined;
  /** Undefined: as the sync as a whole. */
  readonly wins: WinRule | undefined;
  readonly confidenceField: string | undefined;
  readonly freshnessField: string | undefined;
}

/** What the address of the page holds: whose fields are shown; undefined for the sync itself. */
export interface SyncSearch {
  readonly fields?: MappedObject | undefined;
}

/** Reads the address of the page. */
export function readSyncSearch(search: Readonly<Record<string, unknown>>): SyncSearch {
  return { fields: MAPPED_OBJECTS.find(object => object === search['fields']) };
}

function toKey(object: MappedObject, property: string): string {
  return object === 'companies' ? `companies.${property}` : property;
}

/** Returns how a field is synced so far; undefined if it is not. */
export function readChoice(map: FieldMap, object: MappedObject, field: SyncField): FieldChoice | undefined {
  if (field.property === null) return undefined;
  const entry = map[toKey(object, field.property)];
  const own = typeof entry === 'object' && entry !== null ? (entry as Readonly<Record<string, unknown>>) : {};
  return {
    property: field.property,
    direction: DIRECTIONS.find(each => each === own['direction']),
    wins: WIN_RULES.find(rule => rule === own['wins']),
    confidenceField: field.confidence_field ?? undefined,
    freshnessField: field.freshness_field ?? undefined,
  };
}

/**
 * Returns `field_map` with another choice for a field. The property that the field had is left out, and the field that had the
 * property loses it.
 * @param choice undefined if the field is not synced any more
 */
export function changeMap(
  map: FieldMap,
  object: MappedObject,
  field: Pick<SyncField, 'name' | 'property'>,
  choice: FieldChoice | undefined,
): FieldMap {
  const changed: Record<string, unknown> = { ...map };
  if (field.property !== null && field.property !== choice?.property) changed[toKey(object, field.property)] = null;
  if (choice) {
    const { property, direction, wins, confidenceField, freshnessField } = choice;
    changed[toKey(object, property)] = {
      field: field.name,
      ...(direction && { direction }),
      ...(wins && { wins }),
      ...(confidenceField !== undefined && { confidence_field: confidenceField }),
      ...(freshnessField !== undefined && { freshness_field: freshnessField }),
    };
  }
  return changed;
}
