import type {
  StoreAct,
  StoreChange,
  StoreEntry,
  StoreListOptions,
  StorePutOptions,
  StorePort,
} from '../hub-context.js';
import type { Json } from '../schema.js';

const MAX_KEY_LENGTH = 200;
const MAX_VALUE_BYTES = 65_536;
const MAX_ITEMS = 1000;

interface StoredValue {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly expiresAtMs: number;
}

/**
 * An in-memory store of a connection with the limits of the hub.
 * @example expect(hub.store.entries()).toEqual({ webhook_id: 'w-1' });
 */
export class TestStore implements StorePort {
  /** Acts that were passed to `write`, oldest first. */
  readonly acts: StoreAct[] = [];
  private readonly values = new Map<string, StoredValue>();

  constructor(private readonly now: () => Date = () => new Date()) {}

  async get<Value extends Json = Json>(key: string): Promise<Value | undefined> {
    const stored = this.read(key);
    return stored && (JSON.parse(stored.text) as Value);
  }

  async getMany<Value extends Json = Json>(keys: readonly string[]): Promise<ReadonlyMap<string, Value>> {
    if (keys.length > MAX_ITEMS) throw new RangeError(`At most ${MAX_ITEMS} values of the store are read at once.`);
    const found = keys.flatMap(key => {
      const stored = this.read(key);
      return stored ? [[key, JSON.parse(stored.text) as Value] as const] : [];
    });
    return new Map(found);
  }

  async put(key: string, value: Json, options: StorePutOptions = {}): Promise<void> {
    this.values.set(validateKey(key), this.toStored(key, value, options));
  }

  async delete(key: string): Promise<void> {
    this.values.delete(validateKey(key));
  }

  async list<Value extends Json = Json>(
    prefix: string,
    { after, limit = 100, reverse = false }: StoreListOptions = {},
  ): Promise<readonly StoreEntry<Value>[]> {
    validateKey(prefix);
    if (limit < 1 || limit > MAX_ITEMS) throw new RangeError(`A page of the store has 1 to ${MAX_ITEMS} values.`);
    const inOrder = Object.entries(this.entries()).filter(([key]) => key.startsWith(prefix));
    const sorted = inOrder.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)) * (reverse ? -1 : 1));
    const from = after === undefined ? 0 : sorted.findIndex(([key]) => (reverse ? key < after : key > after));
    const page = from < 0 ? [] : sorted.slice(from, from + limit);
    return page.map(([key, value]) => ({ key, value: value as Value }));
  }

  async write(changes: readonly StoreChange[], act?: StoreAct): Promise<boolean> {
    if (changes.length > MAX_ITEMS) throw new RangeError(`One write takes at most ${MAX_ITEMS} changes.`);
    const stored = changes.map(({ key, value, ...options }) => {
      validateKey(key);
      return [key, value === undefined ? undefined : this.toStored(key, value, options)] as const;
    });
    if (changes.some(({ key, mustBeNew }) => mustBeNew && this.read(key) !== undefined)) return false;
    for (const [key, value] of stored) {
      if (value) this.values.set(key, value);
      else this.values.delete(key);
    }
    if (act) this.acts.push(act);
    return true;
  }

  /** Returns all entries by key. */
  entries(): Record<string, Json> {
    const now = this.now().getTime();
    const current = [...this.values].filter(([, { expiresAtMs }]) => expiresAtMs > now);
    return Object.fromEntries(current.map(([key, { text }]) => [key, JSON.parse(text) as Json]));
  }

  private read(key: string): StoredValue | undefined {
    const stored = this.values.get(key);
    return stored && stored.expiresAtMs > this.now().getTime() ? stored : undefined;
  }

  private toStored(key: string, value: Json, { expiresInMs = Infinity }: StorePutOptions): StoredValue {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError(`The value under "${key}" is not JSON.`);
    if (Buffer.byteLength(text) > MAX_VALUE_BYTES)
      throw new RangeError(`The value under "${key}" exceeds 64 kB as JSON.`);
    return { text, expiresAtMs: this.now().getTime() + expiresInMs };
  }
}

function validateKey(key: string): string {
  if (typeof key !== 'string' || key === '' || key.length > MAX_KEY_LENGTH || key.includes('\0')) {
    throw new RangeError(`A key of the store has 1 to ${MAX_KEY_LENGTH} characters.`);
  }
  return key;
}
