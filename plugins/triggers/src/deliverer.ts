import { Injectable } from '@nestjs/common';
import type { HubContext, PluginJob } from '@rapport/plugin-sdk';
import { type Delivery, findDueDeliveries, type EntityLane } from './delivery.js';
import type { Endpoint } from './endpoint.js';
import { type Health, concurrencyFor } from './circuit-breaker.js';
import { deleteDeliveries, PAGE_SIZE, saveDeliveries, readEndpointWithHealth, listWaiting } from './delivery-store.js';
import { send, applySendResult } from './send.js';
import { plugin } from './plugin.js';

/** Lines that are sent side by side to one endpoint: at first, and twice as many after each batch that went well. */
const CONCURRENCY = { first: 8, most: 32 };
/** Messages whose outcome is written down at once. */
const BATCH_SIZE = PAGE_SIZE;
/** After so long others have their turn, in milliseconds. */
const MAX_RUN_MS = 20_000;

/**
 * Sends what waits for one endpoint: one job for each, so that a dead one takes one place and slows nobody. It ends when
 * nothing is due, and comes back when something is.
 */
@Injectable()
export class Deliverer {
  @plugin.OnJob('deliver')
  async deliver({ data }: PluginJob<{ endpoint: string }>, hub: HubContext): Promise<void> {
    const startedAt = hub.clock.now().getTime();
    let usual = CONCURRENCY.first;
    for (let now = startedAt; now - startedAt < MAX_RUN_MS; now = hub.clock.now().getTime()) {
      const { endpoint, health } = await readEndpointWithHealth(hub.store, data.endpoint);
      if (!endpoint) return deleteDeliveries(hub.store, data.endpoint);
      if (!endpoint.active) return;
      if (health.disabled) return failWaiting(hub, endpoint);
      const wide = concurrencyFor(health, now, usual);
      if (wide === 0) return scheduleRun(hub, endpoint, health.holdUntil ?? now);
      const { lines, nextAt } = await findDue(hub, endpoint, health, { now, first: computeFirstPageSize(wide) });
      if (lines.length === 0) return nextAt === null ? undefined : scheduleRun(hub, endpoint, nextAt);
      const batch = new DeliveryBatch(hub, endpoint, health, startedAt + MAX_RUN_MS);
      const wentWell = await batch.send(wide === 1 ? [lines[0]!.slice(0, 1)] : lines, wide);
      usual = wentWell ? Math.min(usual * 2, CONCURRENCY.most) : CONCURRENCY.first;
    }
    await scheduleRun(hub, { id: data.endpoint }, 0);
  }
}

/** Messages that are sent together, until the endpoint fails so often that the rest waits. */
class DeliveryBatch {
  private readonly attempted: Delivery[] = [];
  private isStopped = false;

  constructor(
    private readonly hub: HubContext,
    private readonly endpoint: Endpoint,
    private health: Health,
    /** No message is begun after it, in milliseconds since 1970. */
    private readonly deadlineMs: number,
  ) {}

  /** @returns whether all of them were delivered */
  async send(lines: readonly EntityLane[], wide: number): Promise<boolean> {
    const before = this.health;
    const rest = lines.values();
    const senders = Array.from({ length: Math.min(wide, lines.length) }, async () => {
      for (const line of rest) await this.sendLane(line);
    });
    const ended = await Promise.allSettled(senders);
    await saveDeliveries(this.hub.store, this.endpoint.id, this.attempted, this.health);
    await announceHealth(before, this.health, this.endpoint, this.hub);
    const broken = ended.find(end => end.status === 'rejected');
    if (broken) throw broken.reason;
    return this.attempted.every(({ state }) => state === 'delivered');
  }

  private async sendLane(line: EntityLane): Promise<void> {
    for (const delivery of line) {
      if (this.isStopped || this.hub.signal.aborted) return;
      const sent = await send(this.hub, this.endpoint, delivery);
      const now = this.hub.clock.now().getTime();
      const settled = applySendResult(sent, delivery, this.health, now);
      this.health = settled.health;
      this.attempted.push(settled.delivery);
      if (concurrencyFor(this.health, now, 1) === 0 || now > this.deadlineMs) this.isStopped = true;
      if (settled.delivery.state === 'waiting') return;
    }
  }
}

/** How many are read at first: few for an endpoint that has yet to show that it takes them. */
function computeFirstPageSize(wide: number): number {
  return wide < CONCURRENCY.most ? 2 * wide : PAGE_SIZE;
}

/** The first lines that are due, a batch of them at most. */
async function findDue(
  hub: HubContext,
  endpoint: Endpoint,
  { recoveredAt }: Health,
  { now, first }: { readonly now: number; readonly first: number },
) {
  const seen: Delivery[] = [];
  for await (const page of listWaiting(hub.store, endpoint.id, first)) {
    seen.push(...page);
    const due = findDueDeliveries(seen, now, recoveredAt);
    if (due.lines.length > 0) return { ...due, lines: takeBatch(due.lines) };
  }
  return findDueDeliveries(seen, now, recoveredAt);
}

function takeBatch(lines: readonly EntityLane[]): EntityLane[] {
  const taken: EntityLane[] = [];
  for (let count = 0; count < BATCH_SIZE && taken.length < lines.length; count += taken.at(-1)!.length) {
    taken.push(lines[taken.length]!.slice(0, BATCH_SIZE - count));
  }
  return taken;
}

async function scheduleRun(hub: HubContext, { id }: Pick<Endpoint, 'id'>, at: number): Promise<void> {
  const delayMs = Math.max(0, at - hub.clock.now().getTime());
  await hub.jobs.emit('deliver', { endpoint: id }, { key: id, wake: true, delayMs });
}

/** What waits for a disabled endpoint goes to the log, from where it can be recovered. */
async function failWaiting(hub: HubContext, { id }: Endpoint): Promise<void> {
  for await (const page of listWaiting(hub.store, id)) {
    const failed = page.map(delivery => ({ ...delivery, state: 'failed' as const }));
    if (failed.length > 0) await saveDeliveries(hub.store, id, failed);
  }
}

async function announceHealth(before: Health, now: Health, { id, url }: Endpoint, hub: HubContext): Promise<void> {
  const facts = { trigger_id: id, host: new URL(url).host };
  if (now.disabled && !before.disabled) {
    hub.log.warn('an endpoint was disabled', { ...facts, reason: now.disabled.reason });
    await hub.events.emit('triggers.disabled', { ...facts, reason: now.disabled.reason });
  } else if (now.warned > before.warned) {
    hub.log.warn('an endpoint fails', facts);
    await hub.events.emit('triggers.failing', { ...facts, since: new Date(now.failingSince!).toISOString() });
  }
}
