import type { CrmAdapter, EntityObject, StandardField } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';

const COMPANY_PREFIX = 'companies.';

/** Which ways values travel: from the CRM, to it, or both. */
export type Direction = 'pull' | 'push' | 'both';

/**
 * What happens if CRM and graph have different values. `claims`: the claim is written; `newest`: it is written if it is
 * newer than the record; `blanks`: only where the CRM has none; `crm`: never; `review`: somebody is asked.
 */
export type WinRule = 'claims' | 'newest' | 'blanks' | 'crm' | 'review';

/** A field of the CRM, the property that it states, and how they are kept in agreement. */
export interface FieldMapping extends StandardField {
  readonly isPulled: boolean;
  readonly isPushed: boolean;
  readonly wins: WinRule;
  /** Field that gets the confidence of the claim, from 0.00 to 1.00. */
  readonly confidenceField: string | null;
  /** Field that gets the freshness of the claim. */
  readonly freshnessField: string | null;
}

/** What `field_map` says of a property; a text is the field alone. */
interface FieldOptions {
  readonly field: string;
  readonly direction?: Direction | 'off';
  readonly wins?: WinRule;
  readonly confidence_field?: string;
  readonly freshness_field?: string;
}

type MappingSettings = Pick<Hub['settings'], 'field_map' | 'direction' | 'wins'>;

/**
 * Returns the fields of an object that are read or written: the standard ones of the CRM with what `field_map` changes. A
 * property has one field, and a field one property.
 */
export function listMappings(
  adapter: Pick<CrmAdapter, 'standardFields'>,
  object: EntityObject,
  settings: MappingSettings,
): readonly FieldMapping[] {
  const standard = adapter.standardFields[object];
  const byProperty = new Map(standard.map(field => [field.property, toMapping(field, settings)]));
  const fieldMap = settings.field_map as unknown as Readonly<Record<string, string | FieldOptions | null>>;
  for (const [key, entry] of Object.entries(fieldMap)) {
    const isOfCompanies = key.startsWith(COMPANY_PREFIX);
    if (isOfCompanies !== (object === 'companies')) continue;
    const property = isOfCompanies ? key.slice(COMPANY_PREFIX.length) : key;
    byProperty.delete(property);
    const options = typeof entry === 'string' ? { field: entry } : entry;
    if (options === null || options.field === '' || options.direction === 'off') continue;
    const { field } = options;
    for (const [other, mapping] of byProperty) if (mapping.field === field) byProperty.delete(other);
    const { type = 'choice', isReadOnly = false } = standard.find(known => known.field === field) ?? {};
    byProperty.set(property, toMapping({ field, property, type, isReadOnly }, settings, options));
  }
  return [...byProperty.values()];
}

function toMapping(
  field: StandardField,
  settings: MappingSettings,
  { direction, wins, confidence_field, freshness_field }: Partial<FieldOptions> = {},
): FieldMapping {
  const own = direction ?? (field.isReadOnly ? 'pull' : 'both');
  return {
    ...field,
    isPulled: own !== 'push' && settings.direction !== 'push',
    isPushed: own !== 'pull' && settings.direction !== 'pull',
    wins: wins ?? settings.wins,
    confidenceField: confidence_field ?? null,
    freshnessField: freshness_field ?? null,
  };
}
