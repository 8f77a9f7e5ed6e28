import type { Json, JsonObject } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import type { DeletedPage, PullRequest } from '../adapter.js';
import { toList, toObject, toText } from '../json.js';
import { readHubspot } from './hubspot-api.js';

const LIST_LIMIT = 100;
const SEARCH_LIMIT = 200;
/** Results of one search beyond which HubSpot gives none. */
const MAX_RESULTS = 10_000;

/** What is read of HubSpot in pages. */
export interface HubspotRead extends Pick<PullRequest, 'fields' | 'since' | 'cursor'> {
  /** Name of the object in paths, such as `contacts`. */
  readonly object: string;
}

/** Returns the field with the time of the last change. */
function modifiedField(object: string): string {
  return object === 'contacts' ? 'lastmodifieddate' : 'hs_lastmodifieddate';
}

/** A row of a list or search, as HubSpot sends it. */
export interface HubspotRow {
  readonly id: string;
  readonly updatedAt: string;
  readonly properties: JsonObject;
}

interface Page {
  readonly rows: readonly HubspotRow[];
  readonly cursor: Json;
}

/**
 * Where a search of changes stands. A search gives at most 10,000 results: beyond them the next one begins at the time of
 * the last result. If all of them have one and the same time, as after an import, they are read by their IDs.
 */
interface SearchCursor {
  /** Milliseconds since 1970 at which the search begins. */
  readonly fromMs: number;
  /** Position within the search. */
  readonly after: string | null;
  /** Set while records of exactly `fromMs` are read: the last ID. */
  readonly afterId: string | null;
}

/** Reads all records by the list, which has no limit, or the changed ones by searches. */
export function pullHubspot(hub: Hub, request: HubspotRead): Promise<Page> {
  return request.since === null ? listRecords(hub, request) : searchRecords(hub, request, request.since);
}

async function listRecords(hub: Hub, { object, fields, cursor }: HubspotRead): Promise<Page> {
  const after = typeof cursor === 'string' ? { after: cursor } : {};
  const query = { limit: LIST_LIMIT, properties: fields.join(','), ...after };
  const body = await readHubspot(hub, `/crm/v3/objects/${object}`, { query });
  return { rows: toRows(body), cursor: findNext(body) };
}

/** Lists archived records: HubSpot keeps what was deleted for 90 days. */
export async function listArchivedHubspot(hub: Hub, object: string, cursor: Json): Promise<DeletedPage> {
  const after = typeof cursor === 'string' ? { after: cursor } : {};
  const query = { limit: LIST_LIMIT, archived: true, ...after };
  const body = await readHubspot(hub, `/crm/v3/objects/${object}`, { query });
  return { ids: toRows(body).map(({ id }) => id), cursor: findNext(body) };
}

async function searchRecords(hub: Hub, { object, fields, cursor }: HubspotRead, since: string): Promise<Page> {
  const at = (cursor as unknown as SearchCursor | null) ?? { fromMs: Date.parse(since), after: null, afterId: null };
  const json = {
    ...toSearch(object, at),
    properties: fields,
    limit: SEARCH_LIMIT,
    ...(at.after && { after: at.after }),
  };
  const body = await readHubspot(hub, `/crm/v3/objects/${object}/search`, { method: 'POST', json });
  const rows = toRows(body);
  return { rows, cursor: nextCursor(at, rows, findNext(body)) as unknown as Json };
}

function toSearch(object: string, { fromMs, afterId }: SearchCursor): JsonObject {
  const propertyName = modifiedField(object);
  const value = String(fromMs);
  if (afterId === null) {
    return {
      filterGroups: [{ filters: [{ propertyName, operator: 'GTE', value }] }],
      sorts: [{ propertyName, direction: 'ASCENDING' }],
    };
  }
  const filters = [
    { propertyName, operator: 'EQ', value },
    { propertyName: 'hs_object_id', operator: 'GT', value: afterId },
  ];
  return { filterGroups: [{ filters }], sorts: [{ propertyName: 'hs_object_id', direction: 'ASCENDING' }] };
}

/** Returns where the search goes on; null at its end. */
export function nextCursor(at: SearchCursor, rows: readonly HubspotRow[], next: string | null): SearchCursor | null {
  const last = rows.at(-1);
  if (at.afterId !== null) {
    // Each page begins after the last ID, so that there are never 10,000 results to skip.
    if (last && next !== null) return { ...at, after: null, afterId: last.id };
    return { fromMs: at.fromMs + 1, after: null, afterId: null };
  }
  if (next === null || !last) return null;
  if (Number(next) + SEARCH_LIMIT <= MAX_RESULTS) return { ...at, after: next };
  const lastMs = Date.parse(last.updatedAt);
  return lastMs > at.fromMs
    ? { fromMs: lastMs, after: null, afterId: null }
    : { fromMs: at.fromMs, after: null, afterId: '0' };
}

/** Returns the rows of a response. */
export function toRows({ results }: JsonObject): HubspotRow[] {
  return toList(results).map(each => {
    const { id, updatedAt, properties } = toObject(each);
    return { id: String(id), updatedAt: toText(updatedAt) ?? '', properties: toObject(properties) };
  });
}

function findNext({ paging }: JsonObject): string | null {
  return toText(toObject(toObject(paging)['next'])['after']);
}
