import { Injectable } from '@nestjs/common';
import { type HubContext, OnJob, type PluginJob } from '@rapport/plugin-sdk';
import type { Delivery } from './delivery.js';
import { dueAmong, type Line } from './due.js';
import type { Endpoint } from './endpoint.js';
import { type Health, room } from './health.js';
import { clear, PAGE, settle, standingOf, waitingFor } from './ledger.js';
import { send, settledBy } from './send.js';

/** Lines that are sent side by side to one endpoint: at first, and twice as many after each batch that went well. */
const SIDE_BY_SIDE = { first: 8, most: 32 };
/** Messages whose outcome is written down at once. */
const BATCH = PAGE;
/** After so long others have their turn, in milliseconds. */
const TURN_MS = 20_000;

/**
 * Sends what waits for one endpoint: one job for each, so that a dead one takes one place and slows nobody. It ends when
 * nothing is due, and comes back when something is.
 */
@Injectable()
export class Deliverer {
  @OnJob('deliver')
  async deliver({ data }: PluginJob<{ endpoint: string }>, hub: HubContext): Promise<void> {
    const begun = hub.clock.now().getTime();
    let usual = SIDE_BY_SIDE.first;
    for (let now = begun; now - begun < TURN_MS; now = hub.clock.now().getTime()) {
      const { endpoint, health } = await standingOf(hub.store, data.endpoint);
      if (!endpoint) return clear(hub.store, data.endpoint);
      if (!endpoint.active) return;
      if (health.disabled) return giveUp(hub, endpoint);
      const wide = room(health, now, usual);
      if (wide === 0) return comeBack(hub, endpoint, health.holdUntil ?? now);
      const { lines, nextAt } = await dueFor(hub, endpoint, health, { now, first: glance(wide) });
      if (lines.length === 0) return nextAt === null ? undefined : comeBack(hub, endpoint, nextAt);
      const batch = new Batch(hub, endpoint, health, begun + TURN_MS);
      const wentWell = await batch.send(wide === 1 ? [lines[0]!.slice(0, 1)] : lines, wide);
      usual = wentWell ? Math.min(usual * 2, SIDE_BY_SIDE.most) : SIDE_BY_SIDE.first;
    }
    await comeBack(hub, { id: data.endpoint }, 0);
  }
}

/** Messages that are sent together, until the endpoint fails so often that the rest waits. */
class Batch {
  private readonly tried: Delivery[] = [];
  private stopped = false;

  constructor(
    private readonly hub: HubContext,
    private readonly endpoint: Endpoint,
    private health: Health,
    /** No message is begun after it, in milliseconds since 1970. */
    private readonly until: number,
  ) {}

  /** @returns whether all of them were delivered */
  async send(lines: readonly Line[], wide: number): Promise<boolean> {
    const before = this.health;
    const rest = lines.values();
    const senders = Array.from({ length: Math.min(wide, lines.length) }, async () => {
      for (const line of rest) await this.sendLine(line);
    });
    const ended = await Promise.allSettled(senders);
    await settle(this.hub.store, this.endpoint.id, this.tried, this.health);
    await tellOf(before, this.health, this.endpoint, this.hub);
    const broken = ended.find(end => end.status === 'rejected');
    if (broken) throw broken.reason;
    return this.tried.every(({ state }) => state === 'delivered');
  }

  private async sendLine(line: Line): Promise<void> {
    for (const delivery of line) {
      if (this.stopped || this.hub.signal.aborted) return;
      const sent = await send(this.hub, this.endpoint, delivery);
      const now = this.hub.clock.now().getTime();
      const settled = settledBy(sent, delivery, this.health, now);
      this.health = settled.health;
      this.tried.push(settled.delivery);
      if (room(this.health, now, 1) === 0 || now > this.until) this.stopped = true;
      if (settled.delivery.state === 'waiting') return;
    }
  }
}

/** How many are read at first: few for an endpoint that has yet to show that it takes them. */
function glance(wide: number): number {
  return wide < SIDE_BY_SIDE.most ? 2 * wide : PAGE;
}

/** The first lines that are due, a batch of them at most. */
async function dueFor(
  hub: HubContext,
  endpoint: Endpoint,
  { recoveredAt }: Health,
  { now, first }: { readonly now: number; readonly first: number },
) {
  const seen: Delivery[] = [];
  for await (const page of waitingFor(hub.store, endpoint.id, first)) {
    seen.push(...page);
    const due = dueAmong(seen, now, recoveredAt);
    if (due.lines.length > 0) return { ...due, lines: firstOf(due.lines) };
  }
  return dueAmong(seen, now, recoveredAt);
}

function firstOf(lines: readonly Line[]): Line[] {
  const taken: Line[] = [];
  for (let count = 0; count < BATCH && taken.length < lines.length; count += taken.at(-1)!.length) {
    taken.push(lines[taken.length]!.slice(0, BATCH - count));
  }
  return taken;
}

async function comeBack(hub: HubContext, { id }: Pick<Endpoint, 'id'>, at: number): Promise<void> {
  const delayMs = Math.max(0, at - hub.clock.now().getTime());
  await hub.jobs.emit('deliver', { endpoint: id }, { key: id, wake: true, delayMs });
}

/** What waits for a disabled endpoint goes to the log, from where it can be recovered. */
async function giveUp(hub: HubContext, { id }: Endpoint): Promise<void> {
  for await (const page of waitingFor(hub.store, id)) {
    const failed = page.map(delivery => ({ ...delivery, state: 'failed' as const }));
    if (failed.length > 0) await settle(hub.store, id, failed);
  }
}

async function tellOf(before: Health, now: Health, { id, url }: Endpoint, hub: HubContext): Promise<void> {
  const facts = { trigger_id: id, host: new URL(url).host };
  if (now.disabled && !before.disabled) {
    hub.log.warn('an endpoint was disabled', { ...facts, reason: now.disabled.reason });
    await hub.events.emit('triggers.disabled', { ...facts, reason: now.disabled.reason });
  } else if (now.warned > before.warned) {
    hub.log.warn('an endpoint fails', facts);
    await hub.events.emit('triggers.failing', { ...facts, since: new Date(now.failingSince!).toISOString() });
  }
}
