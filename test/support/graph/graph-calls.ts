import type { AccountResponse, PresentedClaim } from '#graph/accounts/accounts.presenter.js';
import type { RecordResponse } from '#graph/observations/observations.presenter.js';
import type { Answer, Client, TestHub } from '../hub.js';

/** An account as it is by default: whole, with claims by property. */
export type AccountBody = AccountResponse & {
  readonly claims: Readonly<Record<string, PresentedClaim>>;
  readonly recent_observations: NonNullable<AccountResponse['recent_observations']>;
};

/** The body of an error. */
export interface ErrorBody {
  readonly error: string;
  readonly detail?: string;
  readonly details?: readonly { readonly field: string; readonly message: string; readonly index?: number }[];
  readonly supported?: readonly string[];
  readonly query?: string;
}

/** A fact, with whatever else shall stand in the observation. */
export const state = (property: string, value: unknown, more: object = {}) => ({
  kind: 'state',
  property,
  value,
  ...more,
});

/** An interaction, by the part of its name behind `interaction.`. */
export const event = (type: string, more: object = {}) => ({ kind: 'event', property: `interaction.${type}`, ...more });

/** Records observations and gives the answer whatever it is. */
export function tryRecord(
  client: Client,
  focus: string,
  observations: readonly object[],
  headers: Record<string, string> = {},
): Promise<Answer<RecordResponse & ErrorBody>> {
  return client.post('/v2/observations', { focus, observations }, headers);
}

/** Records observations, which must succeed. */
export async function record(client: Client, focus: string, observations: readonly object[]): Promise<RecordResponse> {
  const { status, body } = await tryRecord(client, focus, observations);
  if (status !== 200) throw new Error(`recording about ${focus} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Asks for an account and gives the answer whatever it is. */
export function tryAccount<Body = AccountBody>(
  client: Client,
  id: string,
  query: Record<string, string> = {},
): Promise<Answer<Body & ErrorBody>> {
  return client.get(`/v2/accounts/${encodeURIComponent(id)}?${new URLSearchParams(query)}`);
}

/** An account, which must be there. */
export async function account(client: Client, id: string, query: Record<string, string> = {}): Promise<AccountBody> {
  const { status, body } = await tryAccount(client, id, query);
  if (status !== 200) throw new Error(`the account ${id} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

/** Every observation of an entity, page by page, newest first. */
export async function wholeTimeline(client: Client, id: string, limit = 200) {
  const rows: AccountBody['recent_observations'][number][] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const page: AccountBody = await account(client, id, { limit: String(limit), ...(cursor && { cursor }) });
    rows.push(...page.recent_observations);
    cursor = page.next_cursor;
  }
  return rows;
}

/** Inserts people of whom nothing is known. */
export async function insertPeople({ database }: TestHub, { workspaceId }: Client, count: number): Promise<void> {
  await database.pool.query(
    `INSERT INTO entities (workspace_id, id, type)
     SELECT $1, gen_random_uuid(), 'person' FROM generate_series(1, $2::int)`,
    [workspaceId, count],
  );
}
