import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteUpload } from '#sdk/deliveries.js';
import type { UploadManifest } from '#sdk/manifest.parts.js';
import { HubError } from '#kernel/errors/hub-error.js';

const PLUGIN_ROUTE_PATH = /^\/v2\/plugins\//;

/** Passes bodies that are not JSON to plugin routes as streams; rejects them for all other routes. */
export function registerUploads(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('*', (request, payload, done) => {
    if (PLUGIN_ROUTE_PATH.test(request.url)) done(null, payload);
    else done(new HubError('unsupported_media_type'));
  });
}

/** An upload that is being received. */
export interface IncomingUpload {
  readonly upload: RouteUpload;
  /** Returns why the stream was cut off; undefined if it was not. */
  rejection(): HubError | undefined;
}

/**
 * Returns the upload in a request.
 * @throws HubError `unsupported_media_type`; `too_large` if Content-Length exceeds the limit
 */
export function readUpload(request: FastifyRequest, { maxBytes, contentTypes }: UploadManifest): IncomingUpload {
  const contentType = parseMediaType(request);
  if (!(request.body instanceof Readable) || !contentTypes.some(each => each.toLowerCase() === contentType)) {
    const detail = `Send the file as the body, with a Content-Type of ${contentTypes.join(' or ')}.`;
    throw new HubError('unsupported_media_type', { detail });
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLargeError(maxBytes);
  let rejection: HubError | undefined;
  const stream = limitBytes(request.body, maxBytes, () => (rejection = tooLargeError(maxBytes)));
  const fileName = parseFileName(request.headers['content-disposition']);
  const upload = { contentType, stream, ...(fileName !== undefined && { fileName }) };
  return { upload, rejection: () => rejection };
}

/** Returns whether the body is a stream, that is, not JSON. */
export function isStream(body: unknown): boolean {
  return body instanceof Readable;
}

async function* limitBytes(body: Readable, maxBytes: number, reject: () => HubError): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw reject();
    yield chunk;
  }
}

function parseMediaType({ headers }: FastifyRequest): string {
  return (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

function parseFileName(disposition: string | undefined): string | undefined {
  const [, quoted, plain] = /;\s*filename=(?:"([^"]*)"|([^;\s]+))/i.exec(disposition ?? '') ?? [];
  const name = (quoted ?? plain ?? '').split(/[\\/]/).at(-1);
  return name === '' ? undefined : name;
}

function tooLargeError(maxBytes: number): HubError {
  return new HubError('too_large', {
    detail: `The file may have at most ${maxBytes} bytes.`,
    extra: { max: maxBytes },
  });
}
