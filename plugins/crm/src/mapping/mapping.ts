import type { CrmAdapter, EntityObject, FieldMapping } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';

const COMPANY_PREFIX = 'companies.';

/**
 * Returns the fields that are read of an object: the standard ones of the CRM with what `field_map` changes. A property is
 * stated by one field, and a field states one property.
 */
export function listMappings(
  adapter: CrmAdapter,
  object: EntityObject,
  fieldMap: Hub['settings']['field_map'],
): readonly FieldMapping[] {
  const standard = adapter.standardFields[object];
  const byProperty = new Map(standard.map(mapping => [mapping.property, mapping]));
  for (const [key, field] of Object.entries(fieldMap as Readonly<Record<string, string | null>>)) {
    const isOfCompanies = key.startsWith(COMPANY_PREFIX);
    if (isOfCompanies !== (object === 'companies')) continue;
    const property = isOfCompanies ? key.slice(COMPANY_PREFIX.length) : key;
    byProperty.delete(property);
    if (field === null || field === '') continue;
    for (const [other, mapping] of byProperty) if (mapping.field === field) byProperty.delete(other);
    const known = standard.find(mapping => mapping.field === field);
    byProperty.set(property, { field, property, type: known?.type ?? 'choice' });
  }
  return [...byProperty.values()];
}
