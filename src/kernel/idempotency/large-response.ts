import { JsonText, Utf8Writer } from '../http/json-text.js';
import { mapYielding } from '#kernel/scheduling/yield.js';

/** Number of items in a list, or members of an object, above which a response is serialized in slices. */
const MANY_ITEMS = 200;
const USUAL_ITEM_BYTES = 300;

/**
 * Returns whether a response is an object with a list or an object in it so long that serializing it at once would
 * delay other requests.
 */
export function isLargeResponse(payload: unknown): payload is Readonly<Record<string, unknown>> {
  if (typeof payload !== 'object' || payload === null) return false;
  const { constructor } = payload;
  if (constructor !== Object) return false;
  for (const name in payload) {
    const value = (payload as Record<string, unknown>)[name];
    if (sizeOf(value) > MANY_ITEMS) return true;
  }
  return false;
}

/** Serializes a response like `JSON.stringify`, long lists and objects item by item, and yields to other requests. */
export async function serializeYielding(payload: Readonly<Record<string, unknown>>): Promise<JsonText> {
  const items = Object.values(payload).reduce<number>((sum, value) => sum + sizeOf(value), 4);
  const writer = new Utf8Writer(items * USUAL_ITEM_BYTES);
  let separator = '{';
  for (const [name, value] of Object.entries(payload)) {
    const isLong = sizeOf(value) > MANY_ITEMS;
    const text = isLong ? '' : JSON.stringify(value);
    if (text === undefined) continue;
    writer.write(`${separator}${JSON.stringify(name)}:${text}`);
    separator = ',';
    if (isLong) await (Array.isArray(value) ? writeList(writer, value) : writeObject(writer, value as object));
  }
  writer.write(separator === '{' ? '{}' : '}');
  return new JsonText(writer.bytes());
}

/** Returns the number of items of a list or members of a plain object; 0 for anything else. */
function sizeOf(value: unknown): number {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value?.constructor === Object ? Object.keys(value).length : 0;
}

async function writeList(writer: Utf8Writer, list: readonly unknown[]): Promise<void> {
  writer.write('[');
  await mapYielding(list, (item, i) => writer.write(`${i === 0 ? '' : ','}${JSON.stringify(item) ?? 'null'}`));
  writer.write(']');
}

async function writeObject(writer: Utf8Writer, object: object): Promise<void> {
  let separator = '{';
  await mapYielding(Object.entries(object), ([name, value]) => {
    const text = JSON.stringify(value);
    if (text === undefined) return;
    writer.write(`${separator}${JSON.stringify(name)}:${text}`);
    separator = ',';
  });
  writer.write(separator === '{' ? '{}' : '}');
}
