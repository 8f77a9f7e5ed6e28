import type { QueryResponse } from '#graph/query/query.presenter.js';
import type { ErrorBody } from './graph-calls.js';
import type { Answer, Client } from '../hub.js';

/** Asks a query and gives the answer whatever it is. */
export function tryQuery(client: Client, body: unknown): Promise<Answer<QueryResponse & ErrorBody>> {
  return client.post('/v2/query', body);
}

/** A query, which must succeed. */
export async function queryOf(client: Client, body: object): Promise<QueryResponse> {
  const { status, body: answer } = await tryQuery(client, body);
  if (status !== 200) throw new Error(`${JSON.stringify(body)} was answered ${status}: ${JSON.stringify(answer)}`);
  return answer;
}
