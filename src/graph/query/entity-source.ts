import { buildCatalogue } from '#domain/filters/field-catalogue.js';
import type { ListSource } from '../lists/list-source.js';
import { peopleSource } from '../people/people.source.js';

/** Fields that an entity filter can use: those of lists of people, and `type`. */
export const entityCatalogue = {
  columns: new Map([...peopleSource.catalogue.columns, ...buildCatalogue({ text: ['type'] }).columns]),
};

/** List source of all entities, for entity filters. */
export const entitySource: ListSource = {
  ...peopleSource,
  catalogue: entityCatalogue,
  where: 'e.workspace_id = $1 AND e.canonical_id IS NULL',
  columns: { ...peopleSource.columns, type: { sql: 'e.type', type: 'text' } },
};
