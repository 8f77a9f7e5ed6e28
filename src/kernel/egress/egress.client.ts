import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type Dispatcher, request as send } from 'undici';
import { EgressFailedError, EgressRefusedError } from './egress-errors.js';
import { toEgressError } from './to-egress-error.js';
import type { EgressAccess } from './egress-access.js';
import { EgressRules } from './egress-rules.js';
import { createGuardedLookup } from './guarded-lookup.js';
import { HostResolver } from './host-resolver.js';
import { readBody } from './read-body.js';

/** A request that leaves the hub. */
export interface EgressRequest {
  /** Default GET. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'HEAD';
  readonly url: string;
  /** `host` and the headers of the connection are ours to set; others of that name are left out. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For everything from resolving the name to the last byte of the answer, in milliseconds. Default 15 000. */
  readonly timeoutMs?: number;
  /** Bytes that the answer may have. Default 5 MB. */
  readonly maxBytes?: number;
  readonly signal?: AbortSignal;
}

/** Whatever was answered, of any status. */
export interface EgressResponse {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Bytes of an answer, by default. */
export const DEFAULT_MAX_RESPONSE_BYTES = 5_000_000;
const DEFAULT_TIMEOUT_MS = 15_000;
/** Whoever sends bounds how much at once; a few that hang must not hold up others whose address has the same host. */
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

/** How long {@link EgressClient.check} waits for a name to be resolved. */
const RESOLVE_TIMEOUT_MS = 3_000;

/**
 * Sends requests out of the hub to addresses that tenants, providers, plugins or the operator give. What its access does
 * not include is refused before and after the name is resolved, redirects are not followed, and time and size are
 * bounded. Each client has connections of its own: one that was opened for a client with more access is never reused by
 * another. {@link EgressClients} makes clients that are closed with the hub.
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
   * Judges a URL without calling it, for the moment when it is saved. Its host is resolved, and the URL is refused when
   * none of the addresses may be called. A name that cannot be resolved within 3 s, for now or at all, is accepted: a
   * failing resolver says nothing about the address, and each request judges it again.
   * @throws EgressRefused
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
   * @throws EgressRefused when the address may not be reached, EgressFailed when there is no usable answer.
   */
  async send(request: EgressRequest): Promise<EgressResponse> {
    const url = this.rules.parseDestination(request.url);
    const { timeoutMs = DEFAULT_TIMEOUT_MS, maxBytes = DEFAULT_MAX_RESPONSE_BYTES, signal } = request;
    if (signal?.aborted) throw new EgressFailedError('aborted', 'The request was called off.');
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const response = await send(url, {
        method: request.method ?? 'GET',
        headers: buildHeaders(request.headers),
        body: request.body as Dispatcher.DispatchOptions['body'],
        dispatcher: this.agentFor(url),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      const body = await readBody(response.body, response.headers['content-length'], maxBytes);
      return { status: response.statusCode, headers: joinHeaderValues(response.headers), body };
    } catch (error) {
      throw toEgressError(error, { isTimedOut: limit.aborted, isAborted: signal?.aborted === true, timeoutMs });
    }
  }

  /** Closes the connections that are kept open. */
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
    const late = pause(RESOLVE_TIMEOUT_MS, undefined, { signal: timeout.signal }).catch(() => undefined);
    return Promise.race([resolved, late]).finally(() => timeout.abort());
  }

  private agentFor(url: URL): Agent {
    return this.rules.isTrusted(url) ? this.unguardedAgent : this.agents[url.protocol]!;
  }
}

/** An address in place of a name was judged as such. */
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

function buildHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const theirs = Object.entries(headers).filter(([name]) => !RESERVED_HEADERS.has(name.toLowerCase()));
  return { 'user-agent': 'Rapport', ...Object.fromEntries(theirs.map(([name, value]) => [name.toLowerCase(), value])) };
}

function joinHeaderValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value!]));
}
