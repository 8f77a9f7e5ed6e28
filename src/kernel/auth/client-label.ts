import type { IncomingHttpHeaders } from 'node:http';

const CLIENT_HEADER = /^x-[a-z0-9]+-client$/;
const PRINTABLE = /^[\x20-\x7e]{1,60}$/;

/**
 * Returns the label of the calling program from `x-rapport-client`, or from any `x-<word>-client` header. Defaults to
 * `api` if there is none or if it is not printable ASCII of at most 60 characters.
 */
export function readClientLabel(headers: IncomingHttpHeaders): string {
  const label = headers['x-rapport-client'] ?? headers[Object.keys(headers).find(isClientHeader) ?? ''];
  return typeof label === 'string' && PRINTABLE.test(label) ? label : 'api';
}

function isClientHeader(name: string): boolean {
  return CLIENT_HEADER.test(name);
}
