import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { parse as parseDisposition } from 'content-disposition';
import { HubError } from '#kernel/errors/hub-error.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { RouteUpload } from '#sdk/deliveries.js';
import type { UploadManifest } from '#sdk/manifest/manifest.js';

const LIMITS = { files: 1, fields: 50, parts: 60, fieldNameSize: 100, fieldSize: 64 * 1024, headerPairs: 20 };

/** The first file of a form. */
export interface MultipartFile {
  readonly fileName: string | undefined;
  readonly contentType: string;
  /** Fields before the file. */
  readonly fields: Readonly<Record<string, string>>;
  readonly stream: Readable;
}

/** Returns whether a body with this Content-Type is a form with files. */
export function isMultipart(contentType: string | undefined): boolean {
  return /^multipart\/form-data\s*(?:;|$)/i.test(contentType ?? '');
}

/**
 * Reads a form up to its first file, whose content is streamed. What follows the file is discarded.
 * @throws HubError `invalid_request` if there is no file, or the form is malformed
 */
export function readMultipartFile(
  headers: IncomingHttpHeaders,
  body: Readable,
  onBytes: () => void,
  signal: AbortSignal,
): Promise<MultipartFile> {
  const found = Promise.withResolvers<MultipartFile>();
  const fields: Record<string, string> = Object.create(null) as Record<string, string>;
  const parser = createParser(headers);
  let file: Readable | undefined;
  const fail = (error: Error): void => {
    found.reject(error);
    file?.destroy(error);
    body.unpipe(parser);
  };
  parser.on('field', (name, value, isNameCut, isValueCut) => {
    if (isNameCut || isValueCut) fail(HubError.invalidField(name, `${name} is longer than a field of a form may be.`));
    else fields[name] = value;
  });
  parser.on('file', (_, stream, name, __, mediaType) => {
    file = stream;
    // The HTML standard encodes quotes in names so.
    const fileName = name?.replaceAll('%22', '"').split(/[\\/]/).at(-1) || undefined;
    // The reader of the stream gets its errors; there may be none yet.
    stream.on('error', () => undefined);
    found.resolve({ fileName, contentType: mediaType.toLowerCase(), fields: { ...fields }, stream });
  });
  parser.on('finish', () => found.reject(HubError.invalidField('file', 'The form has no file. Add a part with one.')));
  parser.on('error', error => fail(createFormError(error)));
  body.on('data', onBytes);
  body.on('error', fail);
  body.on('aborted', () => fail(createFormError()));
  signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true });
  body.pipe(parser);
  return found.promise;
}

function createParser(headers: IncomingHttpHeaders): BusboyInstance {
  try {
    return new Busboy({ headers: headers as BusboyHeaders, limits: LIMITS });
  } catch (error) {
    throw createFormError(error);
  }
}

function createFormError(cause?: unknown): HubError {
  const detail = 'The multipart/form-data body is malformed or cut off. Check its boundary and send it again.';
  return new HubError('invalid_request', { detail, cause });
}

const PLUGIN_ROUTE_PATH = /^\/v2\/plugins\//;

/** Passes bodies that are not JSON to plugin routes as streams; rejects them for all other routes. */
export function registerUploads(fastify: FastifyInstance): void {
  fastify.addContentTypeParser('*', (request, payload, done) => {
    if (PLUGIN_ROUTE_PATH.test(request.url)) done(null, payload);
    else done(new HubError('unsupported_media_type'));
  });
}

/** Limits of an upload. */
export interface UploadLimits extends UploadManifest {
  /** What limits the size, for people, such as `This route`. */
  readonly limitedBy: string;
}

/** An upload that is being received. */
export interface IncomingUpload {
  readonly upload: RouteUpload;
  /** Returns why the stream was cut off; undefined if it was not. */
  rejection(): HubError | undefined;
}

/**
 * Returns the upload in a request: the body itself, or the first file of a form.
 * @param onBytes called whenever bytes arrive
 * @param signal ends the stream when it aborts
 * @throws HubError `unsupported_media_type`; `too_large` if Content-Length exceeds the limit; `invalid_request` for a
 *   form without a file
 */
export async function readUpload(
  request: FastifyRequest,
  limits: UploadLimits,
  { onBytes, signal }: { readonly onBytes: () => void; readonly signal: AbortSignal },
): Promise<IncomingUpload> {
  const { headers, body } = request;
  if (!(body instanceof Readable)) throw createMediaTypeError(limits);
  const isForm = isMultipart(headers['content-type']);
  if (!isForm) checkMediaType(parseMediaType(headers['content-type']), limits);
  if (!isForm && Number(headers['content-length'] ?? 0) > limits.maxBytes) throw createTooLargeError(limits);
  const file: MultipartFile = isForm
    ? await readMultipartFile(headers, body, onBytes, signal)
    : {
        fileName: parseFileName(headers['content-disposition']),
        contentType: parseMediaType(headers['content-type']),
        fields: {},
        stream: body,
      };
  checkMediaType(file.contentType, limits);
  let rejection: HubError | undefined;
  const stream = limitBytes(file.stream, limits, { onBytes, signal }, error => (rejection = error));
  const { fileName, contentType, fields } = file;
  return {
    upload: { contentType, fields, stream, ...(fileName !== undefined && { fileName }) },
    rejection: () => rejection,
  };
}

/** Returns whether the body is a stream, that is, not JSON. */
export function isStream(body: unknown): boolean {
  return body instanceof Readable;
}

/** Reads a stream as its consumer takes it. The stream is not destroyed: the response needs its connection. */
async function* limitBytes(
  stream: Readable,
  limits: UploadLimits,
  { onBytes, signal }: { readonly onBytes: () => void; readonly signal: AbortSignal },
  reject: (error: HubError) => HubError,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  const aborted = new Promise<never>((_, fail) => {
    if (signal.aborted) fail(signal.reason as Error);
    signal.addEventListener('abort', () => fail(signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined);
  const chunks = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
  for (;;) {
    const next = await Promise.race([chunks.next(), aborted]);
    if (next.done) return;
    onBytes();
    bytes += next.value.byteLength;
    if (bytes > limits.maxBytes) throw reject(createTooLargeError(limits));
    yield next.value;
  }
}

function checkMediaType(contentType: string, limits: UploadLimits): void {
  if (!limits.contentTypes.some(each => each.toLowerCase() === contentType)) throw createMediaTypeError(limits);
}

function parseMediaType(header: string | undefined): string {
  return (header ?? '').split(';')[0]!.trim().toLowerCase();
}

function parseFileName(disposition: string | undefined): string | undefined {
  const name = disposition === undefined ? '' : (parseDisposition(disposition).parameters['filename'] ?? '');
  return name.split(/[\\/]/).at(-1) || undefined;
}

function createMediaTypeError({ contentTypes }: UploadLimits): HubError {
  const types = contentTypes.join(' or ');
  const detail = `Send the file as the body, with a Content-Type of ${types}, or in a multipart/form-data body.`;
  return new HubError('unsupported_media_type', { detail });
}

function createTooLargeError({ maxBytes, limitedBy }: UploadLimits): HubError {
  const detail = `${limitedBy} takes files of at most ${maxBytes} bytes. Split the file.`;
  return new HubError('too_large', { detail, extra: { max: maxBytes } });
}
