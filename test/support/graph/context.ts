import type { ContextResponse } from '#graph/context/context.presenter.js';
import type { ErrorBody } from './graph-calls.js';
import type { Answer, Client } from '../hub.js';

/** Asks for context and gives the answer whatever it is. */
export function tryContext(client: Client, body: object): Promise<Answer<ContextResponse & ErrorBody>> {
  return client.post('/v2/context', body);
}

/** Context, which must be there. */
export async function contextOf(client: Client, focus: string, more: object = {}): Promise<ContextResponse> {
  const { status, body } = await tryContext(client, { focus, ...more });
  if (status !== 200) throw new Error(`the context of ${focus} was answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
