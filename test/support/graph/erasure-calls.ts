import { ErasureJob } from '#graph/erasures/erasure.job.js';
import type { ErasureResponse } from '#graph/erasures/erasures.presenter.js';
import type { Answer, Client, TestHub } from '../hub.js';
import { until } from '../until.js';
import type { ErrorBody } from './graph-calls.js';

/** Calls POST /v2/people/:id/erase. */
export function tryErase(
  client: Client,
  focus: string,
  body: object = {},
  headers: Record<string, string> = {},
): Promise<Answer<ErasureResponse & ErrorBody>> {
  return client.post(`/v2/people/${encodeURIComponent(focus)}/erase`, body, headers);
}

/** Lets the second pass of an erasure begin without its pause. */
export async function skipPause(hub: TestHub, id: string): Promise<void> {
  await hub.database.pool.query(`UPDATE erasures SET run_at = now() WHERE id = $1 AND state <> 'done'`, [id]);
}

/** Waits until an erasure is done, without the pause between its passes. */
export function finishErasure(hub: TestHub, client: Client, id: string): Promise<ErasureResponse> {
  const job = hub.app.get(ErasureJob, { strict: false });
  return until('the erasure is done', async () => {
    await skipPause(hub, id);
    await job.runNow();
    const { body } = await client.get<ErasureResponse>(`/v2/erasures/${id}`);
    return body.state === 'done' && body;
  });
}

/** Erases a person and waits until nothing is left. */
export async function eraseWholly(hub: TestHub, client: Client, focus: string, body: object = {}) {
  const { status, body: startedAt } = await tryErase(client, focus, body);
  if (status !== 202) throw new Error(`erasing ${focus} was answered ${status}: ${JSON.stringify(startedAt)}`);
  return finishErasure(hub, client, startedAt.id!);
}
