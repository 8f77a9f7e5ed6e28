import type { Server } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';
import { LRUCache } from 'lru-cache';
import type { Caller } from '#kernel/auth/caller.js';
import { ApiKeyCache } from '../auth/api-key.lookup.js';
import { PeriodicTimer } from '#kernel/scheduling/periodic-timer.js';
import type { ToolView } from './tool-visibility.js';
import { VisibleListsService } from './visible-lists.service.js';

/**
 * How often the lists of subscribers are compared, in milliseconds. Together with the TTL of the API key cache it
 * stays below 5 s.
 */
const POLL_INTERVAL_MS = 250;
/**
 * Time after which the plugins that a workspace cannot use are read again, in milliseconds: one statement for each
 * workspace with subscribers.
 */
const AVAILABILITY_TTL_MS = 4_000;
const MAX_STREAMS = 1_000;
const MAX_STREAMS_PER_KEY = 10;

type ListsSnapshot = ReturnType<VisibleListsService['getLists']>;

/** An open stream for list changes. */
interface Subscription {
  readonly apiKey: string | undefined;
  readonly bus: InMemoryServerEventBus;
  /** Closes the stream gracefully. */
  readonly close: () => void;
  caller: Caller;
  lastLists: ListsSnapshot;
}

/**
 * Notifies subscribed clients when one of their lists has changed: their key or plan changed, or a plugin was added,
 * removed, connected or disconnected, in this process or another. Processes do not notify each other: each compares the
 * current lists of its own subscribers, which is cheap, because keys, connected plugins and lists are cached. A stream
 * ends when its key does.
 */
@Injectable()
export class ListChangeSubscriptions implements BeforeApplicationShutdown {
  private readonly subscriptions = new Set<Subscription>();
  /** By workspace, so that all subscriptions of one share a read. */
  private readonly unavailablePlugins = new LRUCache<string, NonNullable<ToolView['unavailablePlugins']>, Caller>({
    max: MAX_STREAMS,
    ttl: AVAILABILITY_TTL_MS,
    fetchMethod: async (_workspace, _stale, { context: caller }) =>
      (await this.lists.readView(caller)).unavailablePlugins ?? new Set(),
  });
  private readonly timer = new PeriodicTimer({ intervalMs: POLL_INTERVAL_MS, run: () => this.pollAll() });

  constructor(
    private readonly lists: VisibleListsService,
    private readonly http: HttpAdapterHost,
    @Optional() private readonly keys?: ApiKeyCache,
  ) {}

  /** Returns whether this process or this key has its maximum number of streams. */
  isFull({ actor }: Caller): boolean {
    const ofKey = [...this.subscriptions].filter(({ caller }) => caller.actor.id === actor.id);
    return this.subscriptions.size >= MAX_STREAMS || ofKey.length >= MAX_STREAMS_PER_KEY;
  }

  /**
   * Subscribes a caller.
   * @param view what its lists depend on at present.
   * @returns the bus of its events, and a function that ends the subscription
   */
  add(
    caller: Caller,
    view: ToolView,
    apiKey: string | undefined,
    close: () => void,
  ): { readonly bus: ServerEventBus; readonly leave: () => void } {
    const bus = new InMemoryServerEventBus();
    const subscription: Subscription = { caller, apiKey, bus, close, lastLists: this.lists.getLists(view) };
    this.subscriptions.add(subscription);
    this.timer.start();
    return { bus, leave: () => this.remove(subscription) };
  }

  /** Closes the streams, which would otherwise delay the shutdown of the server. */
  beforeApplicationShutdown(): void {
    for (const subscription of this.subscriptions) this.closeSubscription(subscription);
  }

  private pollAll(): void {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    if (!server.listening) return this.beforeApplicationShutdown();
    for (const subscription of this.subscriptions) void this.publishChanges(subscription);
  }

  private async publishChanges(subscription: Subscription): Promise<void> {
    const caller = await this.refreshCaller(subscription);
    if (!caller) return this.closeSubscription(subscription);
    const view = await this.readView(caller);
    if (!view || !this.subscriptions.has(subscription)) return;
    const now = this.lists.getLists(view);
    const before = subscription.lastLists;
    Object.assign(subscription, { caller, lastLists: now });
    for (const kind of Object.keys(now) as (keyof ListsSnapshot)[]) {
      if (!isSame(before[kind], now[kind])) subscription.bus.publish({ kind });
    }
  }

  /** Keeps the stream while the database is unavailable. */
  private async refreshCaller({ apiKey, caller }: Subscription): Promise<Caller | undefined> {
    if (!this.keys || apiKey === undefined) return caller;
    return this.keys.resolve(apiKey).catch(() => caller);
  }

  /** Returns undefined while the database is unavailable. */
  private async readView(caller: Caller): Promise<ToolView | undefined> {
    const unavailablePlugins = await this.unavailablePlugins
      .fetch(caller.workspaceId, { context: caller })
      .catch(() => undefined);
    return unavailablePlugins && { plan: caller.plan, scopes: caller.scopes, unavailablePlugins };
  }

  private closeSubscription(subscription: Subscription): void {
    this.remove(subscription);
    subscription.close();
  }

  private remove(subscription: Subscription): void {
    this.subscriptions.delete(subscription);
    if (this.subscriptions.size > 0) return;
    void this.timer.stop();
  }
}

/** Compares by identity: list entries are built once, so equal lists have identical entries. */
function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before === now || (before.length === now.length && before.every((entry, i) => entry === now[i]));
}
