import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { isRetryLater, OnEvent, OnJob, OnRoute } from '@rapport/plugin-sdk';
import type { PluginEvent, PluginJob, RouteAnswer, RouteRequest, StoreEntry } from '@rapport/plugin-sdk';
import { addressOf } from './address.js';
import { addTodo, collecting, nextTodo, progressOf, settle, type Todo } from './backfill-queue.js';
import { contactBookings } from './contact-bookings.js';
import { actsIn } from './list-bookings.js';
import { preciseContact } from './contact.js';
import { type Hub, isConnected, notConnected, Refused } from './provider.js';
import { recordActs } from './recording.js';
import { handOver, isDue, rest, wake } from './turns.js';

/** Requests of one turn, and the rest after it: two in a second, as the limit of Cal.com allows. */
const REQUESTS = 20;
const REST_MS = 10_000;
const PEOPLE = 100;
/** What happened before is history; later than that the webhook is on its way, and whoever comes first tells of it. */
const NEWS_MS = 3_600_000;

const notFound = {
  status: 404,
  body: {
    error: 'backfill_not_found',
    detail: 'There is no backfill of that id: POST backfill begins one and gives it.',
  },
};

/** Adds the past bookings of contacts, one contact after the other, at the pace that Cal.com sets. */
@Injectable()
export class Backfill {
  @OnEvent('contact.imported')
  async imported({ payload }: PluginEvent<'contact.imported'>, hub: Hub): Promise<void> {
    const email = addressOf(payload.email);
    if (email === undefined) return;
    await addTodo(hub, payload.import_id, email);
    await wake(hub);
  }

  @OnRoute('backfill')
  async start({ body }: RouteRequest<{ focus?: string; all?: true }>, hub: Hub): Promise<RouteAnswer> {
    if (!isConnected(hub)) return notConnected;
    const id = randomUUID();
    if (body?.focus === undefined) {
      await collecting.begin(hub, id);
      await hub.jobs.emit('enumerate', { run: id, after: '' }, { key: id });
    } else {
      const contact = await preciseContact(hub, body.focus);
      if ('status' in contact) return contact;
      await addTodo(hub, id, contact.email);
      await wake(hub);
    }
    return { status: 202, body: (await progressOf(hub, id))! };
  }

  @OnRoute('progress')
  async progress({ params }: RouteRequest, hub: Hub): Promise<RouteAnswer> {
    if (!isConnected(hub)) return notConnected;
    const progress = await progressOf(hub, params['id'] ?? '');
    return progress ? { body: progress } : notFound;
  }

  /** Collects everybody, a page at a time. */
  @OnJob('enumerate')
  async enumerate({ data }: PluginJob<{ run: string; after: string }>, hub: Hub): Promise<void> {
    const { people, next } = await hub.graph.people.list({ after: data.after, limit: PEOPLE });
    for (const email of people.flatMap(({ emails }) => emails)) {
      const address = addressOf(email);
      if (address !== undefined) await addTodo(hub, data.run, address);
    }
    await wake(hub);
    if (next === null) await collecting.end(hub, data.run);
    else await hub.jobs.emit('enumerate', { run: data.run, after: next }, { key: `${data.run}:${next}` });
  }

  /** A turn: some requests, then a rest. A process that dies leaves what is left to do in the store. */
  @OnJob('backfill')
  async takeTurn({ data }: PluginJob<{ turn: number }>, hub: Hub): Promise<void> {
    if (!(await isDue(hub, data.turn))) return;
    const restMs = await this.someRequests(hub);
    await (restMs === undefined ? rest(hub) : handOver(hub, data.turn, restMs));
  }

  /** @returns how long to rest, in milliseconds; undefined when nobody is left */
  private async someRequests(hub: Hub): Promise<number | undefined> {
    for (let asked = 0; asked < REQUESTS; asked++) {
      const entry = await nextTodo(hub);
      if (!entry) return undefined;
      hub.signal.throwIfAborted();
      const restMs = await this.onePage(hub, entry);
      if (restMs > 0) return restMs;
    }
    return REST_MS;
  }

  private async onePage(hub: Hub, entry: StoreEntry<Todo>): Promise<number> {
    const { email, cursor } = entry.value;
    try {
      const page = await contactBookings(hub, email, cursor);
      const since = new Date(hub.clock.now().getTime() - NEWS_MS).toISOString();
      const activities = await recordActs(hub, actsIn(page), { only: email, isPast: ({ at }) => at < since });
      await settle(hub, entry, { next: page.next, activities });
      return page.restMs;
    } catch (error) {
      if (isRetryLater(error)) return error.afterMs;
      if (!(error instanceof Refused)) throw error;
      await settle(hub, entry, { failed: true });
      return 0;
    }
  }
}
