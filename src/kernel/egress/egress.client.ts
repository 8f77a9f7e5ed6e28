import { Agent, type Dispatcher, request as send } from 'undici';
import { EgressFailed } from './egress-errors.js';
import { asEgressError } from './egress-failure.js';
import type { EgressRules } from './egress-rules.js';
import { guardedLookup, type Resolve, resolveBySystem } from './guarded-lookup.js';
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
export interface EgressAnswer {
  readonly status: number;
  /** Names in lower case; several values of one name are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Bytes of an answer, by default. */
export const MAX_ANSWER_BYTES = 5_000_000;
const TIMEOUT_MS = 15_000;
/** Whoever sends bounds how much at once; a few that hang must not hold up others whose address has the same host. */
const CONNECTIONS_PER_ORIGIN = 256;
const notTheirs = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'expect', 'te']);

/**
 * The one way out of the hub for addresses that tenants, providers or plugins give. What is not public is refused
 * before and after its name is resolved, redirects are not followed, and time and size are bounded.
 */
export class EgressClient {
  private readonly agents: Readonly<Record<string, Agent>>;
  private readonly trusting: Agent;

  /** @param resolve how names become addresses; another one for tests only. */
  constructor(
    private readonly rules: EgressRules,
    resolve: Resolve = resolveBySystem,
  ) {
    const guarded = (protocol: string) => agentWith(guardedLookup(rules, protocol, resolve));
    this.agents = { 'http:': guarded('http:'), 'https:': guarded('https:') };
    this.trusting = agentWith();
  }

  /**
   * Judges an address without calling it, as far as that goes before its name is resolved: for the moment when an
   * address is saved.
   * @throws EgressRefused
   */
  check(url: string): URL {
    return this.rules.destination(url);
  }

  /**
   * Sends a request once.
   * @throws EgressRefused when the address may not be reached, EgressFailed when there is no usable answer.
   */
  async send(request: EgressRequest): Promise<EgressAnswer> {
    const url = this.rules.destination(request.url);
    const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_ANSWER_BYTES, signal } = request;
    if (signal?.aborted) throw new EgressFailed('aborted', 'The request was called off.');
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await send(url, {
        method: request.method ?? 'GET',
        headers: ownHeaders(request.headers),
        body: request.body as Dispatcher.DispatchOptions['body'],
        dispatcher: this.agentFor(url),
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      const body = await readBody(answer.body, answer.headers['content-length'], maxBytes);
      return { status: answer.statusCode, headers: joined(answer.headers), body };
    } catch (error) {
      throw asEgressError(error, { late: limit.aborted, calledOff: signal?.aborted === true, timeoutMs });
    }
  }

  /** Closes the connections that are kept open. */
  async close(): Promise<void> {
    await Promise.all([...Object.values(this.agents), this.trusting].map(agent => agent.destroy()));
  }

  private agentFor(url: URL): Agent {
    return this.rules.trusts(url) ? this.trusting : this.agents[url.protocol]!;
  }
}

function agentWith(lookup?: ReturnType<typeof guardedLookup>): Agent {
  return new Agent({
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 10_000,
    connect: { timeout: TIMEOUT_MS, ...(lookup && { lookup }) },
  });
}

function ownHeaders(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  const theirs = Object.entries(headers).filter(([name]) => !notTheirs.has(name.toLowerCase()));
  return { 'user-agent': 'Rapport', ...Object.fromEntries(theirs.map(([name, value]) => [name.toLowerCase(), value])) };
}

function joined(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const given = Object.entries(headers).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value!]));
}
