import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  isRetryLater,
  type PluginEvent,
  type PluginJob,
  type RouteRequest,
  type StoreEntry,
  type FailureResponse,
  type ResponseOf,
} from '@rapport/plugin-sdk';
import { findAddress, resolveContact } from './contact.js';
import {
  addTask,
  collection,
  nextTask,
  readProgress,
  finishPage,
  type BackfillTask,
  renewLease,
  isLeaseDue,
  releaseLease,
  startBackfill,
} from './backfill-queue.js';
import { listContactBookings, bookingEventsIn } from './list-bookings.js';
import { RequestRejectedError } from './provider.js';
import { recordEvents } from './record-events.js';
import { type Hub, plugin } from './plugin.js';

/** Requests of one turn, and the rest after it: two in a second, as the limit of Cal.com allows. */
const MAX_REQUESTS_PER_RUN = 20;
const RUN_INTERVAL_MS = 10_000;
const PEOPLE_PAGE_SIZE = 100;
/** What happened before is history; later than that the webhook is on its way, and whoever comes first tells of it. */
const RECENT_MS = 3_600_000;

const notFound: FailureResponse = {
  status: 404,
  body: {
    error: 'backfill_not_found',
    detail: 'There is no backfill of that id: POST backfill begins one and gives it.',
  },
};

/** Adds the past bookings of contacts, one contact after the other, at the pace that Cal.com sets. */
@Injectable()
export class BackfillHandlers {
  @plugin.OnEvent('contact.imported')
  async onContactImported({ payload }: PluginEvent<'contact.imported'>, hub: Hub): Promise<void> {
    const email = findAddress(payload.email);
    if (email === undefined) return;
    await addTask(hub, payload.import_id, email);
    await startBackfill(hub);
  }

  @plugin.OnRoute('backfill')
  async start(
    { body }: RouteRequest<{ focus?: string; all?: true }>,
    hub: Hub,
  ): Promise<ResponseOf<typeof plugin, 'backfill'>> {
    const id = randomUUID();
    if (body?.focus === undefined) {
      await collection.begin(hub, id);
      await hub.jobs.emit('enumerate', { run: id, after: '' }, { key: id });
    } else {
      const contact = await resolveContact(hub, body.focus);
      if ('status' in contact) return contact;
      await addTask(hub, id, contact.email);
      await startBackfill(hub);
    }
    return { status: 202, body: (await readProgress(hub, id))! };
  }

  @plugin.OnRoute('progress')
  async progress({ params }: RouteRequest, hub: Hub): Promise<ResponseOf<typeof plugin, 'progress'>> {
    const progress = await readProgress(hub, params['id'] ?? '');
    return progress ? { body: progress } : notFound;
  }

  /** Collects everybody, a page at a time. */
  @plugin.OnJob('enumerate')
  async enumerate({ data }: PluginJob<{ run: string; after: string }>, hub: Hub): Promise<void> {
    const { people, next } = await hub.graph.people.list({ after: data.after, limit: PEOPLE_PAGE_SIZE });
    for (const email of people.flatMap(({ emails }) => emails)) {
      const address = findAddress(email);
      if (address !== undefined) await addTask(hub, data.run, address);
    }
    await startBackfill(hub);
    if (next === null) await collection.end(hub, data.run);
    else await hub.jobs.emit('enumerate', { run: data.run, after: next }, { key: `${data.run}:${next}` });
  }

  /** A turn: some requests, then a rest. A process that dies leaves what is left to do in the store. */
  @plugin.OnJob('backfill')
  async runBackfill({ data }: PluginJob<{ turn: number }>, hub: Hub): Promise<void> {
    if (!(await isLeaseDue(hub, data.turn))) return;
    const restMs = await this.processTasks(hub);
    await (restMs === undefined ? releaseLease(hub) : renewLease(hub, data.turn, restMs));
  }

  /** @returns how long to rest, in milliseconds; undefined when nobody is left */
  private async processTasks(hub: Hub): Promise<number | undefined> {
    for (let requests = 0; requests < MAX_REQUESTS_PER_RUN; requests++) {
      const entry = await nextTask(hub);
      if (!entry) return undefined;
      hub.signal.throwIfAborted();
      const restMs = await this.processPage(hub, entry);
      if (restMs > 0) return restMs;
    }
    return RUN_INTERVAL_MS;
  }

  private async processPage(hub: Hub, entry: StoreEntry<BackfillTask>): Promise<number> {
    const { email, cursor } = entry.value;
    try {
      const page = await listContactBookings(hub, email, cursor);
      const since = new Date(hub.clock.now().getTime() - RECENT_MS).toISOString();
      const activities = await recordEvents(hub, bookingEventsIn(page), {
        onlyEmail: email,
        isPast: ({ at }) => at < since,
      });
      await finishPage(hub, entry, { next: page.next, activities });
      return page.delayMs;
    } catch (error) {
      if (isRetryLater(error)) return error.afterMs;
      if (!(error instanceof RequestRejectedError)) throw error;
      await finishPage(hub, entry, { failed: true });
      return 0;
    }
  }
}
