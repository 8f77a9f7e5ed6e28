import { isUnreachable, type Json, PermanentError } from '@rapport/plugin-sdk';
import type { InboundAddress } from '@rapport/plugin-sdk';
import { answered, ask, complaintIn, failure, type Hub } from './provider.js';
import { type Fields, fieldsOf, listOf, textOf } from './reading.js';
import { TRIGGERS } from './webhook.js';

const PAGE = 250;
const MOST_PAGES = 20;
const triggers = Object.keys(TRIGGERS);

/** A subscription at Cal.com. */
export interface Subscription {
  readonly id: string;
  /** It is switched on and tells of all that we want. */
  readonly works: boolean;
}

/** The subscription that reports to this address; undefined when there is none. Those of others are not looked at. */
export async function findSubscription(hub: Hub, url: string): Promise<Subscription | undefined> {
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask(hub, '/v2/webhooks', { query: { take: PAGE, skip: page * PAGE } });
    if (answer.status !== 200) throw failure(hub, answer);
    const all = listOf(answered(answer)['data']);
    const ours = all.find(each => fieldsOf(each)['subscriberUrl'] === url);
    if (ours !== undefined) return shown(ours);
    if (all.length < PAGE) return undefined;
  }
  return undefined;
}

/**
 * Subscribes the address, or takes over the subscription that it has already.
 * @returns its id
 * @throws PermanentError when Cal.com does not take the address
 */
export async function subscribe(hub: Hub, address: InboundAddress): Promise<string> {
  const json = { subscriberUrl: address.url, ...wishOf(address) };
  const answer = await ask(hub, '/v2/webhooks', { method: 'POST', json }).catch(unlessUnanswered);
  if (answer?.status === 201 || answer?.status === 200) return idIn(answered(answer));
  if (answer?.status === 400) throw refusalOf(address.url, complaintIn(answer));
  if (answer !== undefined && answer.status !== 409) throw failure(hub, answer);
  const standing = await findSubscription(hub, address.url);
  if (standing) return mend(hub, standing.id, address);
  throw new Error('Cal.com did not say whether it has made the webhook: try again.');
}

/** Gives a subscription of ours the secret and the triggers that it must have. */
export async function mend(hub: Hub, id: string, address: InboundAddress): Promise<string> {
  const answer = await ask(hub, `/v2/webhooks/${encodeURIComponent(id)}`, { method: 'PATCH', json: wishOf(address) });
  if (answer.status !== 200) throw failure(hub, answer);
  return id;
}

/** Removes a subscription; that Cal.com does not know it is well. */
export async function unsubscribe(hub: Hub, id: string): Promise<void> {
  const answer = await ask(hub, `/v2/webhooks/${encodeURIComponent(id)}`, { method: 'DELETE' });
  if (answer.status !== 200 && answer.status !== 204 && answer.status !== 404) throw failure(hub, answer);
}

function wishOf({ secret = '' }: InboundAddress) {
  return { active: true, triggers, secret };
}

/** The request may have taken effect although its answer was lost. */
function unlessUnanswered(error: unknown): undefined {
  if (!isUnreachable(error)) throw error;
}

/** What Cal.com repeats of the request stays here: the address is a secret. */
function refusalOf(url: string, complaint: string | undefined): Error {
  const origin = new URL(url).origin;
  if (complaint !== undefined && !/not allowed|url|https/i.test(complaint)) {
    return new PermanentError('Cal.com refused the webhook: look whether the settings of its account allow webhooks.');
  }
  return new PermanentError(
    `Cal.com sends webhooks to public https addresses only, and this hub is ${origin}: set PUBLIC_URL to the address ` +
      'that the internet reaches it by, and connect again.',
  );
}

function idIn({ data }: Fields): string {
  const { id } = fieldsOf(data);
  if (typeof id !== 'string' && typeof id !== 'number') throw new Error('Cal.com gave the webhook no id.');
  return String(id);
}

function shown(json: Json): Subscription {
  const { id, active, triggers: told } = fieldsOf(json);
  const works = active === true && triggers.every(trigger => listOf(told).includes(trigger));
  return { id: typeof id === 'number' ? String(id) : (textOf(id) ?? ''), works };
}
