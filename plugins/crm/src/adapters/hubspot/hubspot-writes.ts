import type { HttpResponse, Json, JsonObject } from '@rapport/plugin-sdk';
import type { Hub } from '../../plugin.js';
import { readBody, toList, toObject, toText } from '../json.js';
import { callHubspot, readHubspot, toError } from './hubspot-api.js';
import { type HubspotRow, toRows } from './hubspot-pages.js';

/** A record of a batch, as HubSpot takes it. */
export interface BatchInput {
  readonly id: string;
  readonly properties: Readonly<Record<string, string>>;
  /** Field by which `id` identifies the record. Default: its ID. */
  readonly idProperty?: string;
}

/** What became of a record of a batch. */
export type BatchResult = { readonly row: HubspotRow } | { readonly error: string };

/** Reads records by their IDs or by another field. Records that do not exist are missing. */
export async function readBatch(
  hub: Hub,
  object: string,
  { ids, properties, idProperty }: BatchRead,
): Promise<HubspotRow[]> {
  if (ids.length === 0) return [];
  const inputs = ids.map(id => ({ id }));
  const json = { inputs, properties: [...properties], ...(idProperty !== undefined && { idProperty }) };
  return toRows(await readHubspot(hub, `/crm/v3/objects/${object}/batch/read`, { method: 'POST', json }));
}

/** Selects records of a batch. */
export interface BatchRead {
  readonly ids: readonly string[];
  readonly properties: readonly string[];
  /** Field by which the IDs identify records. Default: their ID. */
  readonly idProperty?: string;
}

/**
 * Writes records and returns what became of each, in order. HubSpot refuses a whole batch with 400 for one wrong value, so
 * such a batch is halved until the wrong one is alone.
 */
export async function writeBatch(hub: Hub, path: string, inputs: readonly BatchInput[]): Promise<BatchResult[]> {
  if (inputs.length === 0) return [];
  const traced = inputs.map((input, index) => ({ ...input, objectWriteTraceId: String(index) }));
  const response = await callHubspot(hub, path, { method: 'POST', json: { inputs: traced } as unknown as Json });
  if (response.status === 400) {
    if (inputs.length === 1) return [{ error: describeRefusal(readBody(response)) }];
    const middle = Math.ceil(inputs.length / 2);
    const first = await writeBatch(hub, path, inputs.slice(0, middle));
    return [...first, ...(await writeBatch(hub, path, inputs.slice(middle)))];
  }
  if (!isWritten(response)) throw toError(response);
  return matchResults(inputs, toObject(response.json()));
}

/** 207: some of the records were refused. */
function isWritten({ status }: HttpResponse): boolean {
  return status === 200 || status === 201 || status === 207;
}

function matchResults(inputs: readonly BatchInput[], body: JsonObject): BatchResult[] {
  const errors = new Map<string, string>();
  for (const each of toList(body['errors'])) {
    const error = toObject(each);
    const { objectWriteTraceId: traces, ids } = toObject(error['context']);
    for (const key of [...toList(traces).map(id => `trace:${id}`), ...toList(ids).map(id => `id:${id}`)])
      errors.set(key, describeRefusal(error));
  }
  const rows = toRows(body);
  const byTrace = new Map(
    toList(body['results']).map((each, index) => [String(toObject(each)['objectWriteTraceId']), rows[index]!]),
  );
  return inputs.map((input, index) => {
    const error = errors.get(`trace:${index}`) ?? errors.get(`id:${input.id}`);
    const row = byTrace.get(String(index)) ?? rows.find(each => identifies(input, each));
    return row ? { row } : { error: error ?? 'HubSpot did not say what became of the record.' };
  });
}

function identifies({ id, idProperty }: BatchInput, row: HubspotRow): boolean {
  if (idProperty === undefined) return row.id === id;
  return toText(row.properties[idProperty])?.toLowerCase() === id.toLowerCase();
}

function describeRefusal(body: JsonObject): string {
  return (toText(body['message']) ?? 'HubSpot refused the record without a reason.').slice(0, 500);
}
