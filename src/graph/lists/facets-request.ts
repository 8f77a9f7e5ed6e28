import { parseDuration } from '#domain/filters/comparand.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { FacetsRequestBody } from './facets.dto.js';
import { type ListFields, type ListRequest, readListRequest } from './list-request.js';

/** Default of `refresh_within`. */
const DEFAULT_REFRESH_WITHIN = '7d';

/** A validated request to count the claims of a list. */
export interface FacetsRequest {
  /** The list whose entities have the claims. */
  readonly list: ListRequest;
  /** Canonical names of the properties to count; undefined: those with the most claims. */
  readonly properties: readonly string[] | undefined;
  /** Facts that stop being fresh within this time are due. */
  readonly refreshWithin: Instant;
}

/**
 * Reads a request for facets; the filter is read as the list reads it.
 * @throws HubError `unknown_query_param`, or `invalid_request` naming the field
 */
export function readFacetsRequest(
  listFields: ListFields,
  { filter, properties, refresh_within = DEFAULT_REFRESH_WITHIN }: FacetsRequestBody,
  today: Instant,
): FacetsRequest {
  const refreshWithin = parseDuration(refresh_within);
  if (refreshWithin === undefined) {
    const message = 'refresh_within must be a duration such as 7d or 12h.';
    throw HubError.invalidRequest([{ field: 'refresh_within', message }]);
  }
  const query = filter === undefined ? {} : { filter: JSON.stringify(filter) };
  const list = readListRequest(listFields, query, today);
  return { list, properties: properties && [...new Set(properties.map(canonicalProperty))], refreshWithin };
}
