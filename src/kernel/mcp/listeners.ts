import type { Server } from 'node:http';
import { type BeforeApplicationShutdown, Injectable, Optional } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';
import type { Caller } from '#kernel/auth/caller.js';
import { KeyRing } from '#kernel/auth/key-ring.service.js';
import { OfferedLists } from './offered.lists.js';

/** How often the lists of those who listen are compared, in milliseconds. With what a key ring believes: below 5 s. */
const LOOK_EVERY_MS = 250;
const MOST_STREAMS = 1_000;
const MOST_OF_A_KEY = 10;

type Lists = ReturnType<OfferedLists['of']>;

/** A stream that waits for news. */
interface Listener {
  readonly apiKey: string | undefined;
  readonly bus: InMemoryServerEventBus;
  /** Ends the stream in good order. */
  readonly end: () => void;
  caller: Caller;
  known: Lists;
}

/**
 * Tells clients that listen when a list of theirs has changed: their key or plan changed, or a plugin came or went, in
 * this process or in another. Nothing is pushed between processes: each looks at what its own listeners would be
 * listed now, which costs as good as nothing, for keys and lists are kept. A stream ends with its key.
 */
@Injectable()
export class Listeners implements BeforeApplicationShutdown {
  private readonly listeners = new Set<Listener>();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly lists: OfferedLists,
    private readonly http: HttpAdapterHost,
    @Optional() private readonly keys?: KeyRing,
  ) {}

  /** Whether this process, or this key, has as many streams as it may. */
  isFull({ keyId }: Caller): boolean {
    const ofKey = [...this.listeners].filter(({ caller }) => caller.keyId === keyId);
    return this.listeners.size >= MOST_STREAMS || ofKey.length >= MOST_OF_A_KEY;
  }

  /** News for a caller from now on. @returns where they are published, and what forgets the caller */
  add(
    caller: Caller,
    apiKey: string | undefined,
    end: () => void,
  ): { readonly bus: ServerEventBus; readonly leave: () => void } {
    const bus = new InMemoryServerEventBus();
    const listener: Listener = { caller, apiKey, bus, end, known: this.lists.of(caller) };
    this.listeners.add(listener);
    this.timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    return { bus, leave: () => this.remove(listener) };
  }

  /** While the server closes, its streams must not hold it up. */
  beforeApplicationShutdown(): void {
    for (const listener of this.listeners) this.dismiss(listener);
  }

  private look(): void {
    const server = this.http.httpAdapter.getHttpServer() as Server;
    if (!server.listening) return this.beforeApplicationShutdown();
    for (const listener of this.listeners) void this.tell(listener);
  }

  private async tell(listener: Listener): Promise<void> {
    const caller = await this.callerNow(listener);
    if (!this.listeners.has(listener)) return;
    if (!caller) return this.dismiss(listener);
    const now = this.lists.of(caller);
    const before = listener.known;
    Object.assign(listener, { caller, known: now });
    for (const kind of Object.keys(now) as (keyof Lists)[]) {
      if (!isSame(before[kind], now[kind])) listener.bus.publish({ kind });
    }
  }

  /** A database that cannot be asked for a moment ends no stream. */
  private async callerNow({ apiKey, caller }: Listener): Promise<Caller | undefined> {
    if (!this.keys || apiKey === undefined) return caller;
    return this.keys.resolve(apiKey).catch(() => caller);
  }

  private dismiss(listener: Listener): void {
    this.remove(listener);
    listener.end();
  }

  private remove(listener: Listener): void {
    this.listeners.delete(listener);
    if (this.listeners.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}

/** The entries of lists are made once, so that the same list has the same ones. */
function isSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  return before === now || (before.length === now.length && before.every((entry, i) => entry === now[i]));
}
