import { Injectable } from '@nestjs/common';
import {
  isUnreachable,
  Lifecycle,
  type CheckResult,
  type ConnectionInfo,
  type ConnectionLifecycle,
  type HttpResponse,
  type InboundAddress,
  type TestResult,
} from '@rapport/plugin-sdk';
import { parseBody, callApi } from './provider.js';
import { toFields, findText } from './json-fields.js';
import { RECONCILED_TO_KEY } from './reconciliation.job.js';
import { findSubscription, repair, subscribe, unsubscribe } from './subscription.js';
import type { Hub } from './plugin.js';

/** Where the store keeps the id of the subscription at Cal.com. */
const WEBHOOK_ID_KEY = 'webhook_id';

/** Connects a workspace to Cal.com: one subscription, found or made, and taken away again. */
@Lifecycle()
@Injectable()
export class CalcomConnection implements ConnectionLifecycle {
  async test(hub: Hub): Promise<TestResult> {
    try {
      return toTestResult(await callApi(hub, '/v2/me'));
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      return toUnreachableResult(error.message);
    }
  }

  async connect(hub: Hub, { inbound }: ConnectionInfo): Promise<void> {
    const address = findWebhookAddress(inbound);
    const subscription = (await hub.store.get(WEBHOOK_ID_KEY)) && (await findSubscription(hub, address.url));
    const id = !subscription
      ? await subscribe(hub, address)
      : subscription.isActive
        ? subscription.id
        : await repair(hub, subscription.id, address);
    await hub.store.put(WEBHOOK_ID_KEY, id);
    const since = await hub.store.get(RECONCILED_TO_KEY);
    if (since === undefined) await hub.store.put(RECONCILED_TO_KEY, hub.clock.now().toISOString());
  }

  /** Without an id of its own, a process has died over connecting: the address tells what it has made. */
  async disconnect(hub: Hub, { inbound }: ConnectionInfo): Promise<void> {
    const id =
      (await hub.store.get<string>(WEBHOOK_ID_KEY)) ??
      (await findSubscription(hub, findWebhookAddress(inbound).url))?.id;
    if (id !== undefined) await unsubscribe(hub, id);
    await hub.store.delete(WEBHOOK_ID_KEY);
  }

  async check(hub: Hub, { inbound }: ConnectionInfo): Promise<CheckResult> {
    const subscription = await findSubscription(hub, findWebhookAddress(inbound).url);
    if (subscription?.isActive) return { webhook_active: true, message: 'Cal.com reports every booking.' };
    const what = subscription ? 'switched off or changed' : 'removed';
    return { webhook_active: false, message: `The webhook was ${what} at Cal.com: connect again.` };
  }
}

function findWebhookAddress(inbound: ConnectionInfo['inbound']): InboundAddress {
  return inbound['bookings']!;
}

function toTestResult(answer: HttpResponse): TestResult {
  const { status } = answer;
  if (status === 401)
    return {
      outcome: 'bad_credentials',
      message: 'Cal.com does not know this API key: paste it again, or make another.',
    };
  if (status === 403)
    return { outcome: 'forbidden', message: 'Cal.com knows this API key, but it may not read the account it is of.' };
  if (status === 404)
    return toUnreachableResult('There is no Cal.com API of version 2 at this address: look at api_url.');
  if (status === 429)
    return toUnreachableResult('Cal.com is asked too often with this API key: try again in a minute.');
  if (status !== 200) return toUnreachableResult(`Cal.com answered ${status}: try again later.`);
  const name = findText(toFields(parseBody(answer)['data'])['username']);
  return { outcome: 'ok', message: name ? `Connected as ${name}.` : 'Cal.com accepts the API key.' };
}

function toUnreachableResult(message: string): TestResult {
  return { outcome: 'unreachable', message };
}
