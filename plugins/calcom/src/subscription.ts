import { isUnreachable, type Json, PermanentError, type InboundAddress } from '@rapport/plugin-sdk';
import { parseBody, callApi, errorMessageIn, toError } from './provider.js';
import { type Fields, toFields, toList, findText } from './json-fields.js';
import { EVENT_KIND_BY_TRIGGER } from './webhook-event.js';
import type { Hub } from './plugin.js';

const PAGE_SIZE = 250;
const MAX_PAGES = 20;
const triggerNames = Object.keys(EVENT_KIND_BY_TRIGGER);

/** A subscription at Cal.com. */
export interface Subscription {
  readonly id: string;
  /** It is switched on and tells of all that we want. */
  readonly isActive: boolean;
}

/** The subscription that reports to this address; undefined when there is none. Those of others are not looked at. */
export async function findSubscription(hub: Hub, url: string): Promise<Subscription | undefined> {
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await callApi(hub, '/v2/webhooks', { query: { take: PAGE_SIZE, skip: page * PAGE_SIZE } });
    if (answer.status !== 200) throw toError(hub, answer);
    const all = toList(parseBody(answer)['data']);
    const ours = all.find(each => toFields(each)['subscriberUrl'] === url);
    if (ours !== undefined) return toSubscription(ours);
    if (all.length < PAGE_SIZE) return undefined;
  }
  return undefined;
}

/**
 * Subscribes the address, or takes over the subscription that it has already.
 * @returns its id
 * @throws PermanentError when Cal.com does not take the address
 */
export async function subscribe(hub: Hub, address: InboundAddress): Promise<string> {
  const json = { subscriberUrl: address.url, ...toSubscriptionFields(address) };
  const answer = await callApi(hub, '/v2/webhooks', { method: 'POST', json }).catch(ignoreUnreachable);
  if (answer?.status === 201 || answer?.status === 200) return parseId(parseBody(answer));
  if (answer?.status === 400) throw toSubscriptionError(address.url, errorMessageIn(answer));
  if (answer !== undefined && answer.status !== 409) throw toError(hub, answer);
  const subscription = await findSubscription(hub, address.url);
  if (subscription) return repair(hub, subscription.id, address);
  throw new Error('Cal.com did not say whether it has made the webhook: try again.');
}

/** Gives a subscription of ours the secret and the triggers that it must have. */
export async function repair(hub: Hub, id: string, address: InboundAddress): Promise<string> {
  const answer = await callApi(hub, `/v2/webhooks/${encodeURIComponent(id)}`, {
    method: 'PATCH',
    json: toSubscriptionFields(address),
  });
  if (answer.status !== 200) throw toError(hub, answer);
  return id;
}

/** Removes a subscription; that Cal.com does not know it is well. */
export async function unsubscribe(hub: Hub, id: string): Promise<void> {
  const answer = await callApi(hub, `/v2/webhooks/${encodeURIComponent(id)}`, { method: 'DELETE' });
  if (answer.status !== 200 && answer.status !== 204 && answer.status !== 404) throw toError(hub, answer);
}

function toSubscriptionFields({ secret = '' }: InboundAddress) {
  return { active: true, triggers: triggerNames, secret };
}

/** The request may have taken effect although its answer was lost. */
function ignoreUnreachable(error: unknown): undefined {
  if (!isUnreachable(error)) throw error;
}

/** What Cal.com repeats of the request stays here: the address is a secret. */
function toSubscriptionError(url: string, complaint: string | undefined): Error {
  const origin = new URL(url).origin;
  if (complaint !== undefined && !/not allowed|url|https/i.test(complaint)) {
    return new PermanentError('Cal.com refused the webhook: look whether the settings of its account allow webhooks.');
  }
  return new PermanentError(
    `Cal.com sends webhooks to public https addresses only, and this hub is ${origin}: set PUBLIC_URL to the address ` +
      'that the internet reaches it by, and connect again.',
  );
}

function parseId({ data }: Fields): string {
  const { id } = toFields(data);
  if (typeof id !== 'string' && typeof id !== 'number') throw new Error('Cal.com gave the webhook no id.');
  return String(id);
}

function toSubscription(json: Json): Subscription {
  const { id, active, triggers: received } = toFields(json);
  const isActive = active === true && triggerNames.every(trigger => toList(received).includes(trigger));
  return { id: typeof id === 'number' ? String(id) : (findText(id) ?? ''), isActive };
}
