import { Injectable } from '@nestjs/common';
import { Lifecycle } from '@rapport/plugin-sdk';
import type { CheckResult, ConnectionInfo, ConnectionLifecycle, TestResult } from '@rapport/plugin-sdk';
import type { Hub } from './plugin.js';
import { callApi, toError } from './provider.js';

/** Where the store keeps the id of the subscription at Acme Dialer. */
const WEBHOOK_ID_KEY = 'webhook_id';

/** Connects a workspace to Acme Dialer: one subscription, found or made, and taken away again. */
@Lifecycle()
@Injectable()
export class AcmeDialerConnection implements ConnectionLifecycle {
  async test(hub: Hub): Promise<TestResult> {
    const { status } = await callApi(hub, '/v1/me');
    if (status === 200) return { outcome: 'ok', message: 'Acme Dialer accepts the API key.' };
    if (status === 401)
      return { outcome: 'bad_credentials', message: 'Acme Dialer does not know this API key: paste it again.' };
    if (status === 403)
      return { outcome: 'forbidden', message: 'This API key may not read calls: ask for that right.' };
    return { outcome: 'unreachable', message: `Acme Dialer answered ${status}: try again later.` };
  }

  async connect(hub: Hub, { inbound }: ConnectionInfo): Promise<void> {
    if (await this.isSubscribed(hub)) return;
    const { url, secret } = inbound['calls']!;
    const answer = await callApi(hub, '/v1/webhooks', {
      method: 'POST',
      json: { url, secret: secret ?? '', events: ['call.ended'] },
    });
    if (answer.status !== 201) throw toError(answer);
    await hub.store.put(WEBHOOK_ID_KEY, answer.json<{ id: string }>().id);
  }

  async disconnect(hub: Hub): Promise<void> {
    const id = await hub.store.get<string>(WEBHOOK_ID_KEY);
    if (id === undefined) return;
    const answer = await callApi(hub, `/v1/webhooks/${id}`, { method: 'DELETE' });
    if (answer.status !== 204 && answer.status !== 404) throw toError(answer);
    await hub.store.delete(WEBHOOK_ID_KEY);
  }

  async check(hub: Hub): Promise<CheckResult> {
    return { webhook_active: await this.isSubscribed(hub) };
  }

  private async isSubscribed(hub: Hub): Promise<boolean> {
    const id = await hub.store.get<string>(WEBHOOK_ID_KEY);
    if (id === undefined) return false;
    const answer = await callApi(hub, `/v1/webhooks/${id}`);
    if (answer.status === 200) return true;
    if (answer.status === 404) return false;
    throw toError(answer);
  }
}
