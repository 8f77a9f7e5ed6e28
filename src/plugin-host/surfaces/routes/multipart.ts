import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders, type BusboyInstance } from '@fastify/busboy';
import { HubError } from '#kernel/errors/hub-error.js';

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
