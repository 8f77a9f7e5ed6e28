import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { answerTo } from '#kernel/errors/error-answer.js';
import { HubError } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { newRequestId } from './request-id.js';

const known = new Set(['HPE_HEADER_OVERFLOW', 'ERR_HTTP_REQUEST_TIMEOUT']);

/** Answers what is no complete HTTP request (too slow, too large, malformed) and hangs up. */
export function answerClientError(log: Log, error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const requestId = newRequestId();
  const thrown = known.has(error.code ?? '') ? error : notHttp();
  const { status, headers, body } = answerTo(thrown, { path: '', requestId }, []);
  log.debug({ status, code: error.code, request_id: requestId }, 'a connection sent no valid request');
  if (socket.writable) socket.write(onTheWire(status, headers, JSON.stringify(body)));
  socket.destroySoon();
}

function notHttp(): HubError {
  return new HubError('invalid_request', { detail: 'This is not a valid HTTP request.' });
}

function onTheWire(status: number, headers: Readonly<Record<string, string>>, body: string): string {
  const all = { ...headers, 'content-length': String(Buffer.byteLength(body)), connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}
