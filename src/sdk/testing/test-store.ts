import type { StoreChange, StoreEntry, StorePage, StoreOptions, StorePort } from '../hub-context.js';
import type { Json } from '../json.js';

const LONGEST_KEY = 200;
const LARGEST_VALUE = 65_536;
const MOST = 1000;

interface Kept {
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * The store of a connection, in memory, under the limits of the hub.
 * @example expect(hub.store.entries()).toEqual({ webhook_id: 'w-1' });
 */
export class TestStore implements StorePort {
  private readonly values = new Map<string, Kept>();

  constructor(private readonly now: () => Date = () => new Date()) {}

  async get<Value extends Json = Json>(key: string): Promise<Value | undefined> {
    const kept = this.kept(checkedKey(key));
    return kept && (JSON.parse(kept.text) as Value);
  }

  async getMany<Value extends Json = Json>(keys: readonly string[]): Promise<ReadonlyMap<string, Value>> {
    if (keys.length > MOST) throw new RangeError(`At most ${MOST} values of the store are read at once.`);
    const found = keys.flatMap(key => {
      const kept = this.kept(checkedKey(key));
      return kept ? [[key, JSON.parse(kept.text) as Value] as const] : [];
    });
    return new Map(found);
  }

  async put(key: string, value: Json, options: StoreOptions = {}): Promise<void> {
    this.values.set(checkedKey(key), this.toKeep(key, value, options));
  }

  async delete(key: string): Promise<void> {
    this.values.delete(checkedKey(key));
  }

  async list<Value extends Json = Json>(
    prefix: string,
    { after, limit = 100, reverse = false }: StorePage = {},
  ): Promise<readonly StoreEntry<Value>[]> {
    checkedKey(prefix);
    if (limit < 1 || limit > MOST) throw new RangeError(`A page of the store has 1 to ${MOST} values.`);
    const inOrder = Object.entries(this.entries()).filter(([key]) => key.startsWith(prefix));
    const sorted = inOrder.toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)) * (reverse ? -1 : 1));
    const from = after === undefined ? 0 : sorted.findIndex(([key]) => (reverse ? key < after : key > after));
    const page = from < 0 ? [] : sorted.slice(from, from + limit);
    return page.map(([key, value]) => ({ key, value: value as Value }));
  }

  async write(changes: readonly StoreChange[]): Promise<boolean> {
    if (changes.length > MOST) throw new RangeError(`One write takes at most ${MOST} changes.`);
    const kept = changes.map(({ key, value, ...options }) => {
      checkedKey(key);
      return [key, value === undefined ? undefined : this.toKeep(key, value, options)] as const;
    });
    if (changes.some(({ key, mustBeNew }) => mustBeNew && this.kept(key) !== undefined)) return false;
    for (const [key, value] of kept) {
      if (value) this.values.set(key, value);
      else this.values.delete(key);
    }
    return true;
  }

  /** Everything in the store, by key. */
  entries(): Record<string, Json> {
    const now = this.now().getTime();
    const standing = [...this.values].filter(([, { until }]) => until > now);
    return Object.fromEntries(standing.map(([key, { text }]) => [key, JSON.parse(text) as Json]));
  }

  private kept(key: string): Kept | undefined {
    const kept = this.values.get(key);
    return kept && kept.until > this.now().getTime() ? kept : undefined;
  }

  private toKeep(key: string, value: Json, { expiresInMs = Infinity }: StoreOptions): Kept {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError(`The value under "${key}" is no JSON.`);
    if (Buffer.byteLength(text) > LARGEST_VALUE)
      throw new RangeError(`The value under "${key}" exceeds 64 kB as JSON.`);
    return { text, until: this.now().getTime() + expiresInMs };
  }
}

function checkedKey(key: string): string {
  if (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY) {
    throw new RangeError(`A key of the store has 1 to ${LONGEST_KEY} characters.`);
  }
  return key;
}
