import type { FastifyInstance, FastifyReply } from 'fastify';
import { isPlainObject } from '#domain/observation/observation.js';
import { JsonText, Utf8Writer } from './json-parser.js';
import { mapYielding } from '../scheduling/cooperative-scheduler.js';

/** Result of a write: body, status, and whether it replays an earlier response to the same Idempotency-Key. */
export class HandlerResponse<Body> {
  constructor(
    readonly body: Body,
    readonly status: number,
    readonly isReplay = false,
  ) {}
}

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

/**
 * Converts a {@link HandlerResponse} to status, body and the header of a replay, and serializes long lists in slices.
 * It is a Fastify hook, because a Nest interceptor would send every request through rxjs, which costs as much as the
 * rest of Nest.
 */
export function unwrapResponses(fastify: FastifyInstance): void {
  fastify.addHook('preSerialization', (_, reply, payload, done) => {
    const body = payload instanceof HandlerResponse ? unwrapResponse(payload, reply) : payload;
    if (body instanceof JsonText) return done(null, asBytes(body, reply));
    if (!isLargeResponse(body)) return done(null, body);
    serializeYielding(body).then(text => done(null, asBytes(text, reply)), done);
  });
}

function unwrapResponse(response: HandlerResponse<unknown>, reply: FastifyReply): unknown {
  reply.status(response.status);
  if (response.isReplay) reply.header('Idempotent-Replayed', 'true');
  if (response.body instanceof JsonText || response.status < 400) return response.body;
  return withRequestId(response.body, reply);
}

function asBytes({ bytes }: JsonText, reply: FastifyReply): Buffer {
  reply.serializer(passThrough);
  return bytes;
}

/** Adds the request ID to an error body that a plugin returned, as for every error. */
export function withRequestId(body: unknown, { request }: FastifyReply): unknown {
  const isError = isPlainObject(body) && typeof body['error'] === 'string';
  return isError ? { ...body, request_id: request.id } : body;
}

/** Passes bytes unchanged; the types of Fastify only allow serializers that return strings. */
function passThrough(bytes: Buffer): string {
  return bytes as unknown as string;
}
