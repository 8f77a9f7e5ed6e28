import { PermanentError } from './errors.js';
import type { FileContent, FileInput } from './files.js';

const DAY_MS = 86_400_000;
const DEFAULT_EXPIRY_MS = 7 * DAY_MS;
const MIN_EXPIRY_MS = 60_000;
const MAX_EXPIRY_MS = 30 * DAY_MS;
const MAX_NAME_LENGTH = 255;
/** Text that a header can carry: no control characters. */
const NAME = /^[^\p{Cc}/\\]+$/u;
const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,100}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/;

/** Checks a file to store and fills in defaults, in the hub as in the test harness. @throws PermanentError */
export function parseFileInput({
  name,
  contentType = 'application/octet-stream',
  expiresInMs = DEFAULT_EXPIRY_MS,
}: FileInput): Required<FileInput> {
  if (typeof name !== 'string' || name.length > MAX_NAME_LENGTH || !NAME.test(name)) {
    throw new PermanentError(`\`name\` must have 1 to ${MAX_NAME_LENGTH} characters, without a path.`);
  }
  if (!MEDIA_TYPE.test(contentType)) {
    throw new PermanentError('`contentType` must be a media type in lower case, such as text/csv, without parameters.');
  }
  if (!(expiresInMs >= MIN_EXPIRY_MS && expiresInMs <= MAX_EXPIRY_MS)) {
    throw new PermanentError(`\`expiresInMs\` must be from ${MIN_EXPIRY_MS} (1 minute) to ${MAX_EXPIRY_MS} (30 days).`);
  }
  return { name, contentType, expiresInMs };
}

/** Checks the offset of `open`. @throws PermanentError */
export function checkOffset(from: number): number {
  if (Number.isSafeInteger(from) && from >= 0) return from;
  throw new PermanentError('`from` must be a number of bytes: an integer of at least 0.');
}

/** Returns the content of a file as a stream. */
export async function* toByteStream(content: FileContent): AsyncGenerator<Uint8Array> {
  if (typeof content === 'string') yield Buffer.from(content);
  else if (content instanceof Uint8Array) yield content;
  else yield* content;
}

/** The error of `open` for a file that is not there. */
export function createMissingFileError(id: string): PermanentError {
  return new PermanentError(`There is no file ${id}: it has expired, was deleted, or belongs to another plugin.`);
}
