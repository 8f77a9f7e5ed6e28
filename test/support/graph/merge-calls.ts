import type { EntityLinksResponse, MergeResponse, UnmergeResponse } from '#graph/merges/merges.presenter.js';
import type { ErrorBody } from './graph-calls.js';
import type { Client } from '../hub.js';

type Extra = Record<string, unknown>;

/** Merges two entities and gives the answer whatever it is. */
export const tryMerge = (client: Client, a: string, b: string, more: Extra = {}, headers = {}) =>
  client.post<MergeResponse & ErrorBody & { which?: string }>('/v2/entities/merge', { a, b, ...more }, headers);

/** Merges two entities, which must succeed. */
export async function merge(client: Client, a: string, b: string, more: Extra = {}): Promise<MergeResponse> {
  const { status, body } = await tryMerge(client, a, b, more);
  if (status !== 200) throw new Error(`merging ${a} and ${b} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Parts two entities and gives the answer whatever it is. */
export const tryUnmerge = (client: Client, a: string, b: string, more: Extra = {}) =>
  client.post<UnmergeResponse & ErrorBody>('/v2/entities/unmerge', { a, b, ...more });

/** Parts two entities, which must succeed. */
export async function unmerge(client: Client, a: string, b: string, more: Extra = {}): Promise<UnmergeResponse> {
  const { status, body } = await tryUnmerge(client, a, b, more);
  if (status !== 200) throw new Error(`parting ${a} and ${b} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** What was said about who an entity is. */
export const linksOf = async (client: Client, id: string): Promise<EntityLinksResponse> =>
  (await client.get<EntityLinksResponse>(`/v2/entities/${encodeURIComponent(id)}/links`)).body;
