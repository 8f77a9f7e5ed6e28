import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { SIGN_IN_HINT } from '../base/exit.js';
import { describeNetworkError } from '../api/api-client.js';
import { MAX_ATTEMPTS, isRetryable, wasNotSent, delay, computeRetryWaitMs } from '../api/retry.js';
import type { Settings } from '../settings/settings.js';
import { BRIDGE_LABEL } from '../version.js';
import { BridgeError } from './bridge-error.js';
import { buildProtocolHeaders } from './protocol-headers.js';
import { readEventData } from './sse.js';

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
