import { Injectable } from '@nestjs/common';
import { RetryLater, type PluginJob } from '@rapport/plugin-sdk';
import { nextTask, startBackfill } from './backfill-queue.js';
import { bookingEventsIn, listBookings } from './list-bookings.js';
import { RequestRejectedError } from './provider.js';
import { recordEvents } from './record-events.js';
import { type Hub, plugin } from './plugin.js';

/** Where the store keeps until when everything is known; ISO 8601. */
export const RECONCILED_TO_KEY = 'reconciled_to';
const SWEEP_KEY = 'sweep';
/** Clocks differ, and what is written last may be seen late. */
const OVERLAP_MS = 10 * 60_000;
const DAY_MS = 24 * 3_600_000;
/** A booking that was never changed has no time of its last change. */
const FILTERS = ['afterUpdatedAt', 'afterCreatedAt'] as const;

/** A look at everything since the one before, and how far it has come. */
type Sweep = { readonly began: string; readonly filter: number; readonly cursor: string | null };

/** Asks Cal.com for what has changed: it does not repeat a webhook that was lost. */
@Injectable()
export class ReconciliationJob {
  @plugin.OnJob('reconcile')
  async reconcile(_job: PluginJob, hub: Hub): Promise<void> {
    if (await nextTask(hub)) await startBackfill(hub);
    const now = hub.clock.now().getTime();
    const since = (await hub.store.get<string>(RECONCILED_TO_KEY)) ?? new Date(now - DAY_MS).toISOString();
    let sweep = (await hub.store.get<Sweep>(SWEEP_KEY)) ?? {
      began: new Date(now).toISOString(),
      filter: 0,
      cursor: null,
    };
    const began = sweep.began;
    for (let next: Sweep | undefined = sweep; next;) {
      sweep = next;
      next = await this.reconcilePage(hub, sweep, since);
      if (next) await hub.store.put(SWEEP_KEY, next);
    }
    await hub.store.delete(SWEEP_KEY);
    await hub.store.put(RECONCILED_TO_KEY, began);
  }

  /** @returns where to go on; undefined when all was seen */
  private async reconcilePage(hub: Hub, sweep: Sweep, since: string): Promise<Sweep | undefined> {
    const after = new Date(Date.parse(since) - OVERLAP_MS).toISOString();
    const page = await this.readPage(hub, { [FILTERS[sweep.filter]!]: after }, sweep.cursor ?? undefined);
    // Cal.com may ignore the filter: what is older is no news.
    const changed = page.bookings.filter(({ changedAt = after }) => changedAt >= after);
    await recordEvents(hub, bookingEventsIn({ bookings: changed }));
    const next = page.next ? { ...sweep, cursor: page.next } : { ...sweep, filter: sweep.filter + 1, cursor: null };
    if (next.filter >= FILTERS.length) return undefined;
    if (page.delayMs > 0) {
      await hub.store.put(SWEEP_KEY, next);
      throw new RetryLater(page.delayMs, 'Cal.com has set its limit: the rest is asked for later.');
    }
    return next;
  }

  /** A place in a list that Cal.com no longer knows is forgotten: the next try begins anew. */
  private async readPage(hub: Hub, filter: Readonly<Record<string, string>>, cursor: string | undefined) {
    try {
      return await listBookings(hub, filter, cursor);
    } catch (error) {
      if (!(error instanceof RequestRejectedError) || cursor === undefined) throw error;
      await hub.store.delete(SWEEP_KEY);
      throw new Error('Cal.com no longer knows the place in its list: it is read from the beginning.', {
        cause: error,
      });
    }
  }
}
