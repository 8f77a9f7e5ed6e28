import { buildCatalogue } from '#domain/filters/field-catalogue.js';
import type { ListSource } from '../lists/list-source.js';
import { peopleSource } from '../people/people.source.js';

/** What a filter on entities may name: as lists of people, and whether it is a person or a company. */
export const entityCatalogue = {
  columns: new Map([...peopleSource.catalogue.columns, ...buildCatalogue({ text: ['type'] }).columns]),
};

/** Any entity, as filters look at it. */
export const entitySource: ListSource = {
  ...peopleSource,
  catalogue: entityCatalogue,
  where: 'e.workspace_id = $1 AND e.canonical_id IS NULL',
  columns: { ...peopleSource.columns, type: { sql: 'e.type', type: 'text' } },
};
