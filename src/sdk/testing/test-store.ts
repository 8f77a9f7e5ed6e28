import type { StoreEntry, StorePage, StorePort } from '../hub-context.js';
import type { Json } from '../json.js';

const LONGEST_KEY = 200;
const LARGEST_VALUE = 65_536;
const LONGEST_PAGE = 100;

/**
 * The store of a connection, in memory, under the limits of the hub.
 * @example expect(hub.store.entries()).toEqual({ webhook_id: 'w-1' });
 */
export class TestStore implements StorePort {
  private readonly values = new Map<string, string>();

  async get<Value extends Json = Json>(key: string): Promise<Value | undefined> {
    const text = this.values.get(checkedKey(key));
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  }

  async put(key: string, value: Json): Promise<void> {
    const text = JSON.stringify(value) as string | undefined;
    if (text === undefined) throw new TypeError(`The value under "${key}" is no JSON.`);
    if (Buffer.byteLength(text) > LARGEST_VALUE)
      throw new RangeError(`The value under "${key}" exceeds 64 kB as JSON.`);
    this.values.set(checkedKey(key), text);
  }

  async delete(key: string): Promise<void> {
    this.values.delete(checkedKey(key));
  }

  async list<Value extends Json = Json>(
    prefix: string,
    { after = '', limit = LONGEST_PAGE }: StorePage = {},
  ): Promise<readonly StoreEntry<Value>[]> {
    checkedKey(prefix);
    if (limit < 1 || limit > LONGEST_PAGE) throw new RangeError(`A page of the store has 1 to ${LONGEST_PAGE} values.`);
    const bytes = Buffer.from(after);
    const keys = [...this.values.keys()].filter(key => key.startsWith(prefix) && Buffer.from(key).compare(bytes) > 0);
    const sorted = keys.toSorted((a, b) => Buffer.from(a).compare(Buffer.from(b)));
    return sorted.slice(0, limit).map(key => ({ key, value: JSON.parse(this.values.get(key)!) as Value }));
  }

  /** Everything in the store, by key. */
  entries(): Record<string, Json> {
    return Object.fromEntries([...this.values].map(([key, text]) => [key, JSON.parse(text) as Json]));
  }
}

function checkedKey(key: string): string {
  if (typeof key !== 'string' || key === '' || key.length > LONGEST_KEY) {
    throw new RangeError(`A key of the store has 1 to ${LONGEST_KEY} characters.`);
  }
  return key;
}
