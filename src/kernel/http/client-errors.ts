import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { toErrorResponse } from '#kernel/errors/error-response.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { newRequestId } from './request-id.js';

const KNOWN_CODES = new Set(['HPE_HEADER_OVERFLOW', 'ERR_HTTP_REQUEST_TIMEOUT']);

/** Responds to a connection without a complete HTTP request (too slow, too large, malformed) and closes it. */
export function respondToClientError(log: Log, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const requestId = newRequestId();
  const thrown = KNOWN_CODES.has(error.code ?? '') ? error : createNotHttpError();
  const { status, headers, body } = toErrorResponse(thrown, { path: '', requestId }, []);
  log.debug({ status, code: error.code, request_id: requestId }, 'a connection sent no valid request');
  if (socket.writable) socket.write(serializeResponse(status, headers, JSON.stringify(body)));
  socket.destroySoon();
}

function createNotHttpError(): HubError {
  return new HubError('invalid_request', { detail: 'This is not a valid HTTP request.' });
}

function serializeResponse(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
