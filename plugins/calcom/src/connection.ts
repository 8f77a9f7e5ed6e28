import { Injectable } from '@nestjs/common';
import { isUnreachable, Lifecycle } from '@rapport/plugin-sdk';
import type {
  CheckResult,
  ConnectionInfo,
  ConnectionLifecycle,
  HttpAnswer,
  InboundAddress,
  TestResult,
} from '@rapport/plugin-sdk';
import { answered, ask, type Hub } from './provider.js';
import { fieldsOf, textOf } from './reading.js';
import { RECONCILED_TO } from './reconciliation.js';
import { findSubscription, mend, subscribe, unsubscribe } from './subscription.js';

/** Where the store keeps the id of the subscription at Cal.com. */
const WEBHOOK = 'webhook_id';

/** Connects a workspace to Cal.com: one subscription, found or made, and taken away again. */
@Lifecycle()
@Injectable()
export class CalcomConnection implements ConnectionLifecycle {
  async test(hub: Hub): Promise<TestResult> {
    try {
      return judged(await ask(hub, '/v2/me'));
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      return unreachable(error.message);
    }
  }

  async connect(hub: Hub, { inbound }: ConnectionInfo): Promise<void> {
    const address = addressIn(inbound);
    const standing = (await hub.store.get(WEBHOOK)) && (await findSubscription(hub, address.url));
    const id = !standing
      ? await subscribe(hub, address)
      : standing.works
        ? standing.id
        : await mend(hub, standing.id, address);
    await hub.store.put(WEBHOOK, id);
    const since = await hub.store.get(RECONCILED_TO);
    if (since === undefined) await hub.store.put(RECONCILED_TO, hub.clock.now().toISOString());
  }

  /** Without an id of its own, a process has died over connecting: the address tells what it has made. */
  async disconnect(hub: Hub, { inbound }: ConnectionInfo): Promise<void> {
    const id = (await hub.store.get<string>(WEBHOOK)) ?? (await findSubscription(hub, addressIn(inbound).url))?.id;
    if (id !== undefined) await unsubscribe(hub, id);
    await hub.store.delete(WEBHOOK);
  }

  async check(hub: Hub, { inbound }: ConnectionInfo): Promise<CheckResult> {
    const standing = await findSubscription(hub, addressIn(inbound).url);
    if (standing?.works) return { webhook_active: true, message: 'Cal.com reports every booking.' };
    const what = standing ? 'switched off or changed' : 'removed';
    return { webhook_active: false, message: `The webhook was ${what} at Cal.com: connect again.` };
  }
}

function addressIn(inbound: ConnectionInfo['inbound']): InboundAddress {
  return inbound['bookings']!;
}

function judged(answer: HttpAnswer): TestResult {
  const { status } = answer;
  if (status === 401)
    return {
      outcome: 'bad_credentials',
      message: 'Cal.com does not know this API key: paste it again, or make another.',
    };
  if (status === 403)
    return { outcome: 'forbidden', message: 'Cal.com knows this API key, but it may not read the account it is of.' };
  if (status === 404) return unreachable('There is no Cal.com API of version 2 at this address: look at api_url.');
  if (status === 429) return unreachable('Cal.com is asked too often with this API key: try again in a minute.');
  if (status !== 200) return unreachable(`Cal.com answered ${status}: try again later.`);
  const name = textOf(fieldsOf(answered(answer)['data'])['username']);
  return { outcome: 'ok', message: name ? `Connected as ${name}.` : 'Cal.com accepts the API key.' };
}

function unreachable(message: string): TestResult {
  return { outcome: 'unreachable', message };
}
