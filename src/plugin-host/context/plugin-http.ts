import { Readable } from 'node:stream';
import { buffer as readBuffer } from 'node:stream/consumers';
import { Inject, Injectable } from '@nestjs/common';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { EgressAccess } from '#kernel/egress/egress-rules.js';
import {
  DEFAULT_MAX_RESPONSE_BYTES,
  type EgressClient,
  EgressClients,
  type EgressResponse,
  type EgressRequest,
  type EgressStream,
} from '#kernel/egress/egress.client.js';
import type { AccessTokens } from '../oauth2/access-tokens.js';
import type { HttpResponse, HttpRequest, HttpStreamResponse, HubHttp } from '#sdk/ports/http.js';
import { encodeForm, type HttpRules, isStream, sendAuthenticated } from '#sdk/http-rules.js';
import type { Json } from '#sdk/schema.js';
import { PermanentError, UnreachableError } from '#sdk/errors.js';
import { EgressFailedError, EgressRefusedError } from '#kernel/egress/egress-errors.js';
import type { Redactor } from '#kernel/egress/redactor.js';
import { parseRetryAfterMs, withRetries } from '#kernel/egress/retries.js';
import type { RequestLimits } from './provider-limits.js';

/** Keeps one egress client per plugin, each with the access of that plugin and with connections of its own. */
@Injectable()
export class PluginEgressClients {
  private readonly clients = new Map<string, EgressClient>();

  constructor(
    private readonly egress: EgressClients,
    @Inject(ENV) private readonly env: Env,
  ) {}

  /** Returns the client that sends the requests of a plugin. @param plugin id of its manifest */
  clientFor(plugin: string): EgressClient {
    let client = this.clients.get(plugin);
    if (!client) this.clients.set(plugin, (client = this.egress.for(toEgressAccess(plugin, this.env))));
    return client;
  }
}

/**
 * Returns the addresses that a plugin may call besides public https addresses. Plugins call providers that the operator
 * knows, so they share `EGRESS_ALLOWLIST`. Triggers post to any URL that a user enters and show the response, so they
 * have a separate list.
 */
function toEgressAccess(
  plugin: string,
  { egressAllowlist, triggersEgressAllowlist, calendarApiUrl }: Env,
): EgressAccess {
  if (plugin === 'triggers')
    return { allowlist: { setting: 'TRIGGERS_EGRESS_ALLOWLIST', entries: triggersEgressAllowlist } };
  const trustedUrls = plugin === 'calcom' && calendarApiUrl !== undefined ? [calendarApiUrl] : [];
  return { allowlist: { setting: 'EGRESS_ALLOWLIST', entries: egressAllowlist }, trustedUrls };
}

const DEFAULT_TIMEOUT_MS = 10_000;
const MIN_TIMEOUT_MS = 100;
const MAX_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 6;
const DEFAULT_READ_ATTEMPTS = 3;
const MAX_QUOTED_LENGTH = 200;
/** How long requests are held back after a 429 that does not say. */
const DEFAULT_HOLD_MS = 1_000;
/** Characters that HTTP allows in a header value; a key that was pasted with a stray character does not match. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** The client, redactor and abort signal for the requests of one delivery. */
export interface PluginHttpOptions {
  readonly client: EgressClient;
  readonly redact: Redactor;
  readonly signal: AbortSignal;
  /** What the manifest says about addresses. */
  readonly rules: HttpRules;
  /** Access tokens of a connection by OAuth 2.0; undefined with pasted credentials. */
  readonly tokens?: AccessTokens | undefined;
  /** Limits of the provider; undefined if the manifest declares none. */
  readonly limits?: RequestLimits | undefined;
}

/** Creates the HTTP port of one delivery: requests have a timeout, safe ones are retried, and errors are redacted. */
export function createHubHttp(options: PluginHttpOptions): HubHttp {
  const { client, redact, rules, tokens } = options;
  const send = async (request: HttpRequest): Promise<HttpResponse> =>
    toHttpResponse(await attempt(options, request, each => readWhole(client, each)), redact);
  const open = async (request: HttpRequest): Promise<HttpStreamResponse> => {
    const { stream, ...head } = await attempt(options, request, each => openUnlessFailed(client, each));
    return { ...head, stream: withPluginErrors(stream, error => toPluginError(error, request, redact)) };
  };
  const resolve = (given: HttpRequest) => ({ ...given, url: rules.resolve(given.url) });
  const isAuthenticated = ({ auth }: HttpRequest) => auth === 'connection';
  return {
    async check(url: string): Promise<void> {
      try {
        await client.check(rules.resolve(url));
      } catch (error) {
        throw error instanceof EgressRefusedError ? new UnreachableError(error.message) : error;
      }
    },
    request: async given =>
      isAuthenticated(given) ? sendAuthenticated(resolve(given), rules, tokens, send) : send(resolve(given)),
    stream: async given =>
      isAuthenticated(given) ? sendAuthenticated(resolve(given), rules, tokens, open) : open(resolve(given)),
  };
}

/** Sends a request as often as it may be, each time when the limits of the provider allow it. */
async function attempt<Response extends Pick<EgressResponse, 'status' | 'headers'>>(
  { limits, redact, signal }: PluginHttpOptions,
  request: HttpRequest,
  send: (request: EgressRequest) => Promise<Response>,
): Promise<Response> {
  const egressRequest = { ...toEgressRequest(request), signal };
  const sendInTurn = async (): Promise<Response> => {
    await limits?.acquire(egressRequest.url, signal);
    const response = await send(egressRequest);
    if (response.status === 429)
      await limits?.holdBack(egressRequest.url, parseRetryAfterMs(response.headers['retry-after']) ?? DEFAULT_HOLD_MS);
    return response;
  };
  try {
    return await withRetries({ attempts: computeAttempts(request), signal }, sendInTurn);
  } catch (error) {
    throw toPluginError(error, request, redact);
  }
}

function toPluginError(error: unknown, { url }: HttpRequest, redact: Redactor): unknown {
  if (!(error instanceof EgressFailedError) && !(error instanceof EgressRefusedError)) return error;
  return new UnreachableError(redact(`${formatHost(url)}: ${error.message}`));
}

/** Sends a request and reads the whole response. Sending a stream may take any time, as long as bytes flow. */
async function readWhole(client: EgressClient, request: EgressRequest): Promise<EgressResponse> {
  if (!isStream(request.body)) return client.send(request);
  const { stream, ...head } = await client.open({ ...request, maxBytes: DEFAULT_MAX_RESPONSE_BYTES });
  return { ...head, body: await readBuffer(stream) };
}

/** Opens a response. That of a failure is read at once, because it may be dropped for another attempt. */
async function openUnlessFailed(client: EgressClient, request: EgressRequest): Promise<EgressStream> {
  const { stream, ...head } = await client.open(request);
  if (head.status < 400) return { ...head, stream };
  const body = await readBuffer(stream);
  return { ...head, stream: Readable.from([body]) };
}

async function* withPluginErrors(
  stream: AsyncIterable<Uint8Array>,
  convert: (error: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw convert(error);
  }
}

function toEgressRequest(request: HttpRequest): EgressRequest {
  const { method, url, query = {}, headers = {}, timeoutMs } = request;
  if (!URL.canParse(url)) throw new UnreachableError('This is not a valid URL.');
  for (const [name, value] of Object.entries(headers)) checkHeaderValue(name, value);
  const target = new URL(url);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.append(name, String(value));
  const { body, contentType } = encodeBody(request);
  return {
    method,
    url: target.href,
    headers: { accept: 'application/json', ...(contentType && { 'content-type': contentType }), ...headers },
    body,
    ...(request.bodyBytes !== undefined && { bodyBytes: request.bodyBytes }),
    timeoutMs: Math.min(Math.max(timeoutMs ?? DEFAULT_TIMEOUT_MS, MIN_TIMEOUT_MS), MAX_TIMEOUT_MS),
  };
}

/** Encodes the body of a request. @throws PermanentError for more than one body */
function encodeBody({ json, form, body }: HttpRequest): {
  readonly body: HttpRequest['body'];
  readonly contentType?: string;
} {
  if ([json, form, body].filter(each => each !== undefined).length > 1)
    throw new PermanentError('A request has one body: give only one of json, form and body.');
  if (json !== undefined) return { body: JSON.stringify(json), contentType: 'application/json' };
  if (form === undefined) return { body };
  return { body: encodeForm(form), contentType: 'application/x-www-form-urlencoded' };
}

/** Checks a header value. Headers mostly carry credentials, so the message omits the value. @throws PermanentError */
function checkHeaderValue(name: string, value: string): void {
  if (HEADER_VALUE.test(value)) return;
  const problem = `The value of the header "${name.toLowerCase()}" has a character that headers cannot carry`;
  throw new PermanentError(`${problem}. Check whether it was pasted by mistake.`);
}

/** Returns the number of attempts: POST and PATCH may have taken effect, so they are retried only on request. */
function computeAttempts({ method = 'GET', attempts, body }: HttpRequest): number {
  if (isStream(body)) return 1;
  const defaultAttempts = method === 'POST' || method === 'PATCH' ? 1 : DEFAULT_READ_ATTEMPTS;
  return Math.min(Math.max(attempts ?? defaultAttempts, 1), MAX_ATTEMPTS);
}

function toHttpResponse({ status, headers, body }: EgressResponse, redact: Redactor): HttpResponse {
  const text = body.toString('utf8');
  return {
    status,
    headers,
    text,
    bytes: body,
    json<Body = Json>(): Body {
      try {
        return JSON.parse(text) as Body;
      } catch {
        throw new UnreachableError(`The response (${status}) is not JSON: ${redact(text.slice(0, MAX_QUOTED_LENGTH))}`);
      }
    },
  };
}

function formatHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the address';
}
