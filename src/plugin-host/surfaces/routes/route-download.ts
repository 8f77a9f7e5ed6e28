import type { FastifyReply, FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';
import type { FileOwner, FileStore } from '#kernel/files/file-store.js';
import { liftTimeLimits } from '#kernel/http/long-requests.js';

/** The file that a route responds with. */
export interface Download {
  /** ID of the file. */
  readonly file: string;
  /** Name of the download. Default: the name of the file. */
  readonly fileName?: string | undefined;
}

/**
 * Sends a file of a plugin as a download, or the part of it that `Range` requests. The receiver may take any time.
 * @throws HubError `not_found` if the file does not exist or has expired
 */
export async function sendFile(
  store: FileStore,
  owner: FileOwner,
  { file: id, fileName }: Download,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const file = await store.find(owner, id);
  if (!file) throw new HubError('not_found', { detail: 'The file of this response has expired or was deleted.' });
  reply.header('content-type', file.mediaType);
  reply.header('content-disposition', formatDisposition(fileName ?? file.name));
  reply.header('accept-ranges', 'bytes');
  reply.header('etag', `"${file.sha256}"`);
  const range = parseRange(request.headers.range, file.bytes);
  if (range === 'unsatisfiable') {
    return reply.status(416).header('content-range', `bytes */${file.bytes}`).send();
  }
  const { from, to } = range ?? { from: 0, to: file.bytes };
  if (range) reply.status(206).header('content-range', `bytes ${from}-${to - 1}/${file.bytes}`);
  reply.header('content-length', to - from);
  liftTimeLimits(request, reply);
  const stream = await store.open(owner, id, from, to);
  if (!stream) throw new HubError('not_found', { detail: 'The file of this response has expired or was deleted.' });
  return stream;
}

/** A part of a file: from the first byte to the one before `to`. */
interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Parses a Range of one part (RFC 9110, section 14.2); several parts and other units are ignored. */
export function parseRange(header: string | undefined, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  if (first === '') {
    return Number(last) === 0 || bytes === 0 ? 'unsatisfiable' : { from: Math.max(0, bytes - Number(last)), to: bytes };
  }
  const from = Number(first);
  if (last !== '' && Number(last) < from) return undefined;
  if (from >= bytes) return 'unsatisfiable';
  return { from, to: last === '' ? bytes : Math.min(Number(last) + 1, bytes) };
}

/** Formats the header of a download, with names beyond ASCII as RFC 8187 encodes them. */
export function formatDisposition(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(/['()*]/g, char => `%${char.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
