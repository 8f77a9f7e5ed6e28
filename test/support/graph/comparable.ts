import type { AccountBody } from './graph-calls.js';
import { wholeTimeline } from './graph-calls.js';
import type { Client } from '../hub.js';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/**
 * The claims of an entity and what its log says, fit to be compared with those of another workspace: every id of an
 * observation is replaced by its external id, every other id by one word. Observations without one are told by content.
 */
export async function comparable(
  client: Client,
  who: string,
): Promise<{ claims: AccountBody['claims']; log: unknown[] }> {
  const { body } = await client.get<AccountBody>(`/v2/accounts/${encodeURIComponent(who)}`);
  const rows = await wholeTimeline(client, who);
  const names = new Map(rows.map(row => [row.id, row.external_id ?? `${row.property} ${row.observed_at}`]));
  const named = <T>(value: T): T =>
    JSON.parse(JSON.stringify(value).replace(UUID, id => names.get(id) ?? 'an id')) as T;
  const log = rows.map(row => JSON.stringify(named({ ...row, id: '', recorded_at: '' }))).toSorted();
  return { claims: withoutReadingTime(named(body.claims)), log };
}

/** Freshness depends on the moment of reading; everything else of a claim only on what was recorded. */
function withoutReadingTime(claims: AccountBody['claims']): AccountBody['claims'] {
  return JSON.parse(JSON.stringify(claims, (key, value: unknown) => (key === 'freshness_score' ? undefined : value)));
}
