import { toTransferredError, reviveError, type TransferredError } from './error-transfer.js';

/** A function of one side that the other side may call. */
type Callable = (...args: unknown[]) => unknown;

/** A message between the two processes. Calls name a function by its number; 0 is the entry of the other side. */
type Message =
  | { readonly type: 'call'; readonly id: number; readonly target: number; readonly args: readonly unknown[] }
  | { readonly type: 'return'; readonly id: number; readonly value: unknown }
  | { readonly type: 'throw'; readonly id: number; readonly error: TransferredError; readonly origin: number | null }
  | { readonly type: 'abort'; readonly signal: number; readonly error: TransferredError };

/** Marks a value that stands for something that cannot be copied. No data of a plugin has this key. */
const MARK = '__rapport';

type Marked =
  | { readonly [MARK]: 'function'; readonly id: number }
  | { readonly [MARK]: 'stream'; readonly next: number; readonly end: number }
  | { readonly [MARK]: 'signal'; readonly id: number; readonly aborted: TransferredError | null };

/** What one call has made known to the other side. It is forgotten when the call has ended. */
class CallScope {
  readonly functions: number[] = [];
  readonly cleanups: (() => void)[] = [];
}

/** A function that the other side may call, and the call to which it belongs. */
interface Registered {
  readonly call: Callable;
  readonly scope: CallScope;
}

/** An error that came from the other side; if it goes back there, it becomes the one that it was. */
const ORIGIN = Symbol('origin');

const ENTRY = 0;

/** What {@link ProcessChannel} sends through. */
export interface MessagePipe {
  /** Sends a message that structured cloning can copy. */
  send(message: unknown): void;
}

/**
 * Lets two processes call each other. Arguments and results are copied. Functions, abort signals and streams among them
 * stand for those of the other side until the call has ended: each use of one is a message. Functions therefore return
 * promises.
 */
export class ProcessChannel {
  private readonly functions = new Map<number, Registered>();
  private readonly pending = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  private readonly signals = new Map<number, AbortController>();
  /** Errors of this side by the number of the call that threw them, while the other side may send them back. */
  private readonly thrown = new Map<number, { readonly error: unknown; readonly scope: CallScope }>();
  private lastId = 0;
  private closedBy: Error | undefined;

  /** @param entry what {@link call} of the other side calls */
  constructor(
    private readonly pipe: MessagePipe,
    private readonly entry: Callable,
  ) {}

  /** Calls the entry of the other side. @throws what it throws, or the reason for which the channel was closed */
  async call(...args: readonly unknown[]): Promise<unknown> {
    return this.request(ENTRY, args);
  }

  /** Handles a message of the other side. */
  receive(received: unknown): void {
    const message = received as Message;
    if (message.type === 'call') void this.answer(message.id, message.target, message.args);
    else if (message.type === 'abort') this.signals.get(message.signal)?.abort(reviveError(message.error));
    else {
      const waiting = this.pending.get(message.id);
      this.pending.delete(message.id);
      if (message.type === 'return') waiting?.resolve(message.value);
      else waiting?.reject(this.findThrown(message.origin) ?? this.revive(message));
    }
  }

  /** Ends all calls with an error; later ones fail with it at once. */
  close(reason: Error): void {
    this.closedBy ??= reason;
    for (const { reject } of this.pending.values()) reject(reason);
    this.pending.clear();
    for (const controller of this.signals.values()) controller.abort(reason);
    this.functions.clear();
  }

  private async request(target: number, args: readonly unknown[]): Promise<unknown> {
    if (this.closedBy) throw this.closedBy;
    const id = ++this.lastId;
    const scope = new CallScope();
    try {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>();
      this.pending.set(id, { resolve, reject });
      this.send({ type: 'call', id, target, args: args.map(arg => this.encode(arg, scope)) });
      return this.decode(await promise);
    } finally {
      this.pending.delete(id);
      this.release(scope);
    }
  }

  private async answer(id: number, target: number, args: readonly unknown[]): Promise<void> {
    const registered = target === ENTRY ? undefined : this.functions.get(target);
    // What a function returns can be used for as long as the function itself.
    const scope = registered?.scope ?? new CallScope();
    const received: number[] = [];
    try {
      if (target !== ENTRY && !registered) throw new Error('A hub context was used after its handler had ended.');
      const call = registered?.call ?? this.entry;
      const value = await call(...args.map(arg => this.decode(arg, received)));
      this.send({ type: 'return', id, value: this.encode(value, scope) });
    } catch (error) {
      const origin = typeof error === 'object' && error !== null && ORIGIN in error ? (error[ORIGIN] as number) : null;
      if (registered) {
        this.thrown.set(id, { error, scope });
        scope.cleanups.push(() => this.thrown.delete(id));
      }
      this.send({ type: 'throw', id, error: toTransferredError(error), origin });
    } finally {
      for (const signal of received) this.signals.delete(signal);
      if (!registered) this.release(scope);
    }
  }

  private findThrown(origin: number | null): unknown {
    return origin === null ? undefined : this.thrown.get(origin)?.error;
  }

  private revive({ id, error }: Extract<Message, { type: 'throw' }>): Error {
    return Object.defineProperty(reviveError(error), ORIGIN, { value: id });
  }

  private release({ functions, cleanups }: CallScope): void {
    for (const id of functions) this.functions.delete(id);
    for (const cleanUp of cleanups) cleanUp();
  }

  private send(message: Message): void {
    if (!this.closedBy) this.pipe.send(message);
  }

  private register(call: Callable, scope: CallScope): number {
    const id = ++this.lastId;
    this.functions.set(id, { call, scope });
    scope.functions.push(id);
    return id;
  }

  private encode(value: unknown, scope: CallScope): unknown {
    if (typeof value === 'function')
      return { [MARK]: 'function', id: this.register(value as Callable, scope) } satisfies Marked;
    if (typeof value !== 'object' || value === null || isCopied(value)) return value;
    if (value instanceof AbortSignal) return this.encodeSignal(value, scope);
    if (Array.isArray(value)) return value.map(each => this.encode(each, scope));
    if (isStream(value)) return this.encodeStream(value, scope);
    const encoded: Record<string, unknown> = {};
    // Ports inherit methods from each other.
    for (const name in value) encoded[name] = this.encode((value as Record<string, unknown>)[name], scope);
    return encoded;
  }

  private encodeSignal(signal: AbortSignal, scope: CallScope): Marked {
    const id = ++this.lastId;
    const onAbort = () => this.send({ type: 'abort', signal: id, error: toTransferredError(signal.reason) });
    signal.addEventListener('abort', onAbort, { once: true });
    scope.cleanups.push(() => signal.removeEventListener('abort', onAbort));
    return { [MARK]: 'signal', id, aborted: signal.aborted ? toTransferredError(signal.reason) : null };
  }

  private encodeStream(stream: AsyncIterable<unknown>, scope: CallScope): Marked {
    const iterator = stream[Symbol.asyncIterator]();
    const end = async (): Promise<void> => void (await iterator.return?.());
    return {
      [MARK]: 'stream',
      next: this.register(() => iterator.next(), scope),
      end: this.register(end, scope),
    };
  }

  private decode(value: unknown, received: number[] = []): unknown {
    if (typeof value !== 'object' || value === null || isCopied(value)) return value;
    if (Array.isArray(value)) return value.map(each => this.decode(each, received));
    if (MARK in value) return this.decodeMarked(value as Marked, received);
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, this.decode(each, received)]));
  }

  private decodeMarked(marked: Marked, received: number[]): unknown {
    if (marked[MARK] === 'function') return (...args: readonly unknown[]) => this.request(marked.id, args);
    if (marked[MARK] === 'stream') return this.readStream(marked.next, marked.end);
    const controller = new AbortController();
    if (marked.aborted) controller.abort(reviveError(marked.aborted));
    this.signals.set(marked.id, controller);
    received.push(marked.id);
    return controller.signal;
  }

  private async *readStream(next: number, end: number): AsyncGenerator<unknown> {
    try {
      for (;;) {
        const { done, value } = (await this.request(next, [])) as IteratorResult<unknown>;
        if (done) return;
        yield value;
      }
    } finally {
      await this.request(end, []).catch(() => undefined);
    }
  }
}

/** Returns whether a value is copied as it is: bytes, dates, maps and sets of data. */
function isCopied(value: object): boolean {
  return (
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer ||
    value instanceof Date ||
    value instanceof Map ||
    value instanceof Set ||
    value instanceof Error
  );
}

function isStream(value: object): value is AsyncIterable<unknown> {
  return typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';
}
