import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { SIGN_IN_HINT } from '../base/errors.js';
import {
  describeNetworkError,
  MAX_ATTEMPTS,
  isRetryable,
  wasNotSent,
  delay,
  computeRetryWaitMs,
} from '../api/api-client.js';
import type { Settings } from '../settings/settings.js';
import { BRIDGE_LABEL } from '../version.js';

/** JSON-RPC codes of the bridge's own errors, from the range that implementations may use. */
const RPC_CODES = { not_signed_in: -32001, unauthorized: -32001, unreachable: -32002, refused: -32000 } as const;

/** A message could not be delivered. The error message says how to fix it. */
export class BridgeError extends Error {
  constructor(
    readonly reason: keyof typeof RPC_CODES,
    message: string,
  ) {
    super(message);
  }
}

/** Converts an error to the error object of a JSON-RPC response. */
export function toRpcError(error: unknown): { code: number; message: string; data?: object } {
  if (!(error instanceof BridgeError)) return { code: -32603, message: 'The bridge to Rapport failed.' };
  const { reason, message } = error;
  return { code: RPC_CODES[reason], message, data: { error: reason } };
}

const PROTOCOL = 'io.modelcontextprotocol/protocolVersion';
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const ENCODED = /^=\?base64\?/i;

/** Parameter copied to the header `Mcp-Name`, by method. */
const NAME_PARAMS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

interface RpcRequest {
  readonly method: string;
  readonly params?: { readonly _meta?: Readonly<Record<string, unknown>> } & Readonly<Record<string, unknown>>;
}

/** Builds the HTTP headers required by revision 2026-07-28, which stdio does not have; none for older messages. */
export function buildProtocolHeaders(message: object): Record<string, string> {
  if (!('method' in message)) return {};
  const { method, params } = message as RpcRequest;
  const version = params?._meta?.[PROTOCOL];
  if (typeof version !== 'string') return {};
  const name = params?.[NAME_PARAMS[method] ?? ''];
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' && { 'mcp-name': encodeHeaderValue(name) }),
  };
}

/** Encodes a header value: plain ASCII unchanged, anything else as base64 of its UTF-8 bytes. */
function encodeHeaderValue(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

const LINE_END = /\r\n|\n|\r(?!$)/;

/** Yields the data of each event of a `text/event-stream`. */
export async function* readEventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(LINE_END);
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5));
      if (line !== '' || data.length === 0) continue;
      yield data.join('\n');
      data = [];
    }
  }
}

/** Dependencies of `forward`. */
export interface HttpTransport {
  /** Called for each message, so that a new sign-in takes effect without a restart. */
  settings(): Promise<Settings>;
  log(transport: string): void;
}

/** Read-only methods, which can be retried after a lost response. */
const READ_ONLY_METHODS =
  /^(initialize|ping|server\/discover|(tools|prompts|resources|resources\/templates)\/list|resources\/read|prompts\/get)$/;

/**
 * Posts a message to the hub's MCP endpoint and yields the response and all messages before it. Retries if the hub is
 * unreachable or busy, unless the request could take effect twice.
 * @param version revision negotiated by `initialize` @param signal cancels the request
 * @throws BridgeError if there is no key, the hub rejects it, or there is no valid response
 */
export async function* forward(
  transport: HttpTransport,
  message: JSONRPCMessage,
  version: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<JSONRPCMessage> {
  const { baseUrl, apiKey, savedFor } = await transport.settings();
  if (apiKey === undefined) throw toNotSignedInError(baseUrl, savedFor);
  const response = await fetchWithRetry(transport, 'method' in message ? message.method : '', baseUrl, {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'x-rapport-client': BRIDGE_LABEL,
      ...(version !== undefined && { 'mcp-protocol-version': version }),
      ...buildProtocolHeaders(message),
    },
    body: JSON.stringify(message),
    redirect: 'error',
    signal,
  });
  yield* readMessages(response, baseUrl);
}

async function fetchWithRetry(
  transport: HttpTransport,
  method: string,
  baseUrl: string,
  init: RequestInit,
): Promise<Response> {
  const signal = init.signal!;
  for (let attempt = 0; ; attempt++) {
    const last = attempt + 1 >= MAX_ATTEMPTS;
    const outcome = await fetch(new URL('/mcp', baseUrl), init).catch((error: unknown) => ({ error }));
    signal.throwIfAborted();
    if (outcome instanceof Response) {
      const wait = computeRetryWaitMs(attempt, outcome.headers.get('retry-after'));
      if (last || !isRetryable(outcome.status) || wait === undefined) return outcome;
      transport.log(`the hub responded with ${outcome.status}; retrying`);
      await outcome.body?.cancel();
      await delay(wait, signal);
    } else {
      const why = `Rapport at ${baseUrl} cannot be reached: ${describeNetworkError(outcome.error)}.`;
      if (last || !(wasNotSent(outcome.error) || READ_ONLY_METHODS.test(method))) throw toUnreachableError(why);
      transport.log(`${why} Retrying.`);
      await delay(computeRetryWaitMs(attempt, null) ?? 0, signal);
    }
  }
}

/** Yields the messages of a response. A JSON-RPC error is forwarded; any other error becomes a `BridgeError`. */
async function* readMessages(response: Response, baseUrl: string): AsyncGenerator<JSONRPCMessage> {
  const { status, body, headers } = response;
  if (status === 202 || status === 204) return void (await body?.cancel());
  if (response.ok && body && headers.get('content-type')?.startsWith('text/event-stream')) {
    for await (const data of readEventData(body as unknown as AsyncIterable<Uint8Array>))
      yield parseRpcMessage(data, status, baseUrl);
    return;
  }
  const text = await response.text();
  if (status === 401) throw toRejectedKeyError(baseUrl);
  yield parseRpcMessage(text, status, baseUrl);
}

function parseRpcMessage(text: string, status: number, baseUrl: string): JSONRPCMessage {
  try {
    const message = JSON.parse(text) as JSONRPCMessage;
    if (message.jsonrpc === '2.0') return message;
  } catch {
    // Reported below.
  }
  throw new BridgeError('refused', `Rapport at ${baseUrl} responded with status ${status} and no JSON-RPC message.`);
}

function toNotSignedInError(baseUrl: string, savedFor: string | undefined): BridgeError {
  const whose = savedFor === undefined ? '' : ` The saved key belongs to ${savedFor}.`;
  return new BridgeError('not_signed_in', `Nobody is signed in to Rapport at ${baseUrl}.${whose} ${SIGN_IN_HINT}`);
}

function toRejectedKeyError(baseUrl: string): BridgeError {
  const what = `Rapport at ${baseUrl} rejects the API key: it is wrong, expired or revoked.`;
  return new BridgeError('unauthorized', `${what} Run rapport login and call again.`);
}

function toUnreachableError(why: string): BridgeError {
  return new BridgeError('unreachable', `${why} Try again later, or run rapport doctor for details.`);
}
