import { type LookupFunction, isIP } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher, request as send } from 'undici';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { EgressFailedError, EgressRefusedError, toEgressError } from './egress-errors.js';
import { type EgressAccess, EgressRules, createGuardedLookup, HostResolver } from './egress-rules.js';

/** A stream from which a body can be read. */
type ReadableBody = AsyncIterable<Uint8Array> & {
  on(event: 'error', listener: () => void): unknown;
  destroy(): unknown;
};

/**
 * Reads a body and aborts as soon as it is larger than `maxBytes`, whatever its announced length.
 * @throws EgressFailedError `too_large`
 */
export async function readBody(
  body: ReadableBody,
  announced: string | string[] | undefined,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (Number(announced) > maxBytes) throw abortTooLarge(body, maxBytes);
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maxBytes) throw abortTooLarge(body, maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function abortTooLarge(body: ReadableBody, maxBytes: number): EgressFailedError {
  body.on('error', () => undefined);
  body.destroy();
  return new EgressFailedError('too_large', `The response is larger than ${maxBytes} bytes.`);
}

/** An outgoing request. */
export interface EgressRequest {
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly url: string;
  /** The client sets `host` and the connection headers itself; values for them are ignored. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /** Number of bytes of a body that is a stream. Default: it is sent in chunks. */
  readonly bodyBytes?: number;
  /** Time limit from resolving the host to the last byte of the response, in milliseconds. Default 15 000. */
  readonly timeoutMs?: number;
  /** Maximum size of the response body in bytes. Default 5 MB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** A response of any status. */
export interface EgressResponse {
  readonly status: number;
  /** Names in lower case; several values of a name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A response whose body is read as a stream. */
export interface EgressStream {
  readonly status: number;
  /** Names in lower case; several values of a name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Default maximum size of a response body, in bytes. */
export const DEFAULT_MAX_RESPONSE_BYTES = 5_000_000;
/** Maximum size of a body that is read as a stream, in bytes. */
const MAX_STREAM_BYTES = 1_000_000_000;
const DEFAULT_TIMEOUT_MS = 15_000;
/**
 * High, because callers limit their own concurrency: a few hanging requests must not block others to the same origin.
 */
const MAX_CONNECTIONS_PER_ORIGIN = 256;
const RESERVED_HEADERS = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'upgrade',
  'expect',
  'te',
]);

/** How long {@link EgressClient.check} waits for a host to resolve, in milliseconds. */
const RESOLVE_TIMEOUT_MS = 3_000;

/**
 * Sends requests to URLs from tenants, providers, plugins or the operator. Destinations outside its access are
 * refused before and after the host is resolved, redirects are not followed, and time and size are bounded. Each
 * client has its own connections, so a connection of a client with more access is never reused by another. {@link
 * EgressClients} creates clients that are closed with the hub.
 */
export class EgressClient {
  private readonly rules: EgressRules;
  private readonly lookups: Readonly<Record<string, LookupFunction>>;
  private readonly agents: Readonly<Record<string, Agent>>;
  private readonly unguardedAgent: Agent;

  constructor(access: EgressAccess = {}, resolver = new HostResolver()) {
    const rules = new EgressRules(access);
    this.rules = rules;
    this.lookups = {
      'http:': createGuardedLookup(rules, 'http:', resolver),
      'https:': createGuardedLookup(rules, 'https:', resolver),
    };
    this.agents = { 'http:': createAgent(this.lookups['http:']), 'https:': createAgent(this.lookups['https:']) };
    this.unguardedAgent = createAgent();
  }

  /**
   * Checks a URL without calling it, for the time when it is saved. Resolves its host and refuses it if none of the
   * addresses may be called. A host that cannot be resolved within 3 s is accepted: a failing resolver says nothing
   * about the address, and each request checks it again.
   * @throws EgressRefusedError if the URL may not be called.
   */
  async check(url: string): Promise<URL> {
    const destination = this.rules.parseDestination(url);
    if (this.rules.isTrusted(destination) || isLiteral(destination)) return destination;
    const refused = await this.refusalOnLookup(destination);
    if (refused) throw refused;
    return destination;
  }

  /**
   * Sends a request once.
   * @throws EgressRefusedError if the destination may not be called, EgressFailedError if there is no usable
   * response.
   */
  async send(request: EgressRequest): Promise<EgressResponse> {
    const url = this.rules.parseDestination(request.url);
    const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_RESPONSE_BYTES, signal } = request;
    if (signal?.aborted) throw new EgressFailedError('aborted', 'The request was called off.');
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await this.begin(url, request, signal ? AbortSignal.any([signal, limit]) : limit);
      const body = await readBody(response.body, response.headers['content-length'], maxBytes);
      return { status: response.statusCode, headers: joinHeaderValues(response.headers), body };
    } catch (error) {
      throw toEgressError(error, { isTimedOut: limit.aborted, isAborted: signal?.aborted === true, timeoutMs });
    }
  }

  /**
   * Sends a request once, and returns the response as soon as it begins. `timeoutMs` limits the time until then, and the
   * time between two parts of the body.
   * @throws EgressRefusedError if the destination may not be called, EgressFailedError if there is no usable response;
   *   the stream throws EgressFailedError
   */
  async open(request: EgressRequest): Promise<EgressStream> {
    const url = this.rules.parseDestination(request.url);
    const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = MAX_STREAM_BYTES, signal } = request;
    const describe = (error: unknown) =>
      toEgressError(error, { isTimedOut: false, isAborted: signal?.aborted === true, timeoutMs });
    try {
      const response = await this.begin(url, request, signal);
      const headers = joinHeaderValues(response.headers);
      return { status: response.statusCode, headers, stream: readStream(response.body, maxBytes, describe) };
    } catch (error) {
      throw describe(error);
    }
  }

  /** Closes all connections. */
  async close(): Promise<void> {
    await Promise.all([...Object.values(this.agents), this.unguardedAgent].map(agent => agent.destroy()));
  }

  private async refusalOnLookup({ hostname, protocol }: URL): Promise<EgressRefusedError | undefined> {
    const timeout = new AbortController();
    const resolved = new Promise<EgressRefusedError | undefined>(resolve => {
      this.lookups[protocol]!(hostname, { all: true }, error =>
        resolve(error instanceof EgressRefusedError ? error : undefined),
      );
    });
    const timedOut = pause(RESOLVE_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
    return Promise.race([resolved, timedOut]).finally(() => timeout.abort());
  }

  private begin(url: URL, request: EgressRequest, signal: AbortSignal | undefined): Promise<Dispatcher.ResponseData> {
    const { method = 'GET', body, timeoutMs = DEFAULT_TIMEOUT_MS } = request;
    return send(url, {
      method,
      headers: buildHeaders(request),
      body: toBody(body),
      dispatcher: this.agentFor(url),
      ...(signal && { signal }),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
  }

  private agentFor(url: URL): Agent {
    return this.rules.isTrusted(url) ? this.unguardedAgent : this.agents[url.protocol]!;
  }
}

/** Returns whether the host is an IP address, which `parseDestination` has already checked. */
function isLiteral({ hostname }: URL): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
}

function createAgent(lookup?: LookupFunction): Agent {
  return new Agent({
    connections: MAX_CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    connect: { timeout: DEFAULT_TIMEOUT_MS, ...(lookup && { lookup }) },
  });
}

function toBody(body: EgressRequest['body']): Dispatcher.DispatchOptions['body'] {
  const isStream = typeof body === 'object' && Symbol.asyncIterator in body;
  return isStream ? Readable.from(body) : (body as Dispatcher.DispatchOptions['body']);
}

/** Yields the bytes of a body, up to a maximum, with errors of this module. */
async function* readStream(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  describe: (error: unknown) => Error,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  try {
    for await (const chunk of body) {
      size += chunk.byteLength;
      if (size > maxBytes) throw new EgressFailedError('too_large', `The response is larger than ${maxBytes} bytes.`);
      yield chunk;
    }
  } catch (error) {
    throw describe(error);
  }
}

function buildHeaders({ headers = {}, bodyBytes }: EgressRequest): Record<string, string> {
  const allowed = Object.entries(headers).filter(([name]) => !RESERVED_HEADERS.has(name.toLowerCase()));
  return {
    'user-agent': 'Rapport',
    ...(bodyBytes !== undefined && { 'content-length': String(bodyBytes) }),
    ...Object.fromEntries(allowed.map(([name, value]) => [name.toLowerCase(), value])),
  };
}

function joinHeaderValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value!]));
}

/**
 * Creates egress clients, one for each purpose, and closes their connections when the hub shuts down. No client is
 * shared, so access that is granted for one purpose does not apply to another.
 */
@Injectable()
export class EgressClients implements OnApplicationShutdown {
  private readonly clients: EgressClient[] = [];

  constructor(private readonly resolver: HostResolver) {}

  /** Creates a client with this access. Reuse it: it holds connections until the hub closes. */
  for(access: EgressAccess): EgressClient {
    const client = new EgressClient(access, this.resolver);
    this.clients.push(client);
    return client;
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.clients.map(client => client.close()));
  }
}
