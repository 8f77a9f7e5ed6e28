import { JsonText, TextWriter } from './json-text.js';
import { mapYielding } from '#kernel/scheduling/yield.js';

/** Items of a list above which a response is written in slices. */
const MANY_ITEMS = 200;
const USUAL_ITEM_BYTES = 300;

/** Whether a response is an object with a list so long that writing it at once would hold up other requests. */
export function isLargeResponse(payload: unknown): payload is Readonly<Record<string, unknown>> {
  if (typeof payload !== 'object' || payload === null) return false;
  const { constructor } = payload;
  if (constructor !== Object) return false;
  for (const name in payload) {
    const value = (payload as Record<string, unknown>)[name];
    if (Array.isArray(value) && value.length > MANY_ITEMS) return true;
  }
  return false;
}

/** Writes a response as `JSON.stringify` does, the items of its lists one by one, with turns for other requests. */
export async function serializeYielding(payload: Readonly<Record<string, unknown>>): Promise<JsonText> {
  const lists = Object.values(payload).filter(Array.isArray);
  const writer = new TextWriter(lists.reduce((sum, { length }) => sum + length * USUAL_ITEM_BYTES, 1_024));
  let separator = '{';
  for (const [name, value] of Object.entries(payload)) {
    const isList = Array.isArray(value);
    const text = isList ? '' : JSON.stringify(value);
    if (text === undefined) continue;
    writer.write(`${separator}${JSON.stringify(name)}:${text}`);
    separator = ',';
    if (isList) await writeList(writer, value);
  }
  writer.write(separator === '{' ? '{}' : '}');
  return new JsonText(writer.bytes());
}

async function writeList(writer: TextWriter, list: readonly unknown[]): Promise<void> {
  writer.write('[');
  await mapYielding(list, (item, i) => writer.write(`${i === 0 ? '' : ','}${JSON.stringify(item) ?? 'null'}`));
  writer.write(']');
}
