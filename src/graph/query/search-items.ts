import { HubError } from '#kernel/errors/hub-error.js';
import type { PresentedCandidate } from '../identity/entity-resolver.service.js';
import type { QueryItem } from './query.presenter.js';

/** Fields of a query that have a meaning for a search by name. */
const SEARCH_FIELDS = new Set(['scope', 'return']);

/**
 * Rejects an empty search, and what a search by name would ignore. Of the scope it uses only `limit`.
 * @throws HubError `invalid_request` naming the field.
 */
export function rejectBesideSearch(search: string, body: Readonly<Record<string, unknown>>): void {
  if (search.trim() === '')
    throw HubError.invalidRequest([{ field: 'search', message: 'search must be a name, or a part of one.' }]);
  const scope = (body['scope'] ?? {}) as Readonly<Record<string, unknown>>;
  const given = [
    ...Object.keys(body).filter(name => !SEARCH_FIELDS.has(name) && body[name] !== undefined),
    ...Object.keys(scope).flatMap(name => (name === 'limit' || scope[name] === undefined ? [] : [`scope.${name}`])),
    ...(body['return'] === 'observations' ? ['return'] : []),
  ];
  if (given.length === 0) return;
  const message = 'search finds people and companies by name alone. Leave this field out, or send it without search.';
  throw HubError.invalidRequest(given.map(field => ({ field, message })));
}

/** Returns a match of a search as an item of a query. */
export function presentFoundEntity({ type, name, ...candidate }: PresentedCandidate): QueryItem {
  const { entity_id, matched_on, ...rest } = candidate;
  return { entity_id, entity_type: type, entity_name: name, matched_on, ...rest };
}
