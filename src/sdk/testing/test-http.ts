import { Readable } from 'node:stream';
import { buffer as readBuffer } from 'node:stream/consumers';
import type { Json } from '../schema.js';
import { PermanentError, UnreachableError } from '../errors.js';
import type { HttpResponse, HttpRequest, HttpStreamResponse, HubHttp } from '../ports/http.js';
import { encodeForm, type HttpRules, isStream, type RenewableToken, sendAuthenticated } from '../http-rules.js';
import { Expectation, type RequestDetails } from './expectation.js';

/**
 * A request sent by the plugin.
 * @example expect(hub.http.sent.at(-1)).toMatchObject({ method: 'DELETE' });
 */
export interface SentRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  /** Value of `json` in the request. */
  readonly json: Json | undefined;
  readonly body: string | Uint8Array | undefined;
}

/**
 * Response of the fake provider: JSON, or text if `body` is a string.
 * @example { status: 201, body: { data: { id: 'w-1' } } }
 */
export interface TestReply {
  readonly status: number;
  readonly body?: Json;
  /** A body that is no text; instead of `body`. */
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set if the provider does not respond; the reason. */
  readonly unreachable?: string;
}

/**
 * A fake HTTP client. A request gets the response of the oldest matching expectation that can still be used,
 * otherwise that of `serve`. If there is neither, the request fails together with its delivery, even if the plugin
 * swallows the error. There are no retries, whatever `attempts` is.
 * @example hub.http.expect('POST', '/v2/webhooks').reply(201, { data: { id: 'w-1' } });
 */
export class TestHttp implements HubHttp {
  /** All requests, oldest first, without those of repeated deliveries. */
  readonly sent: SentRequest[] = [];
  private readonly expectations: Expectation[] = [];
  private server: ((request: SentRequest) => TestReply | undefined) | undefined;
  private readonly replies: { key: string; reply: TestReply }[] = [];
  private replayed: Map<string, TestReply[]> | undefined;
  private unexpected: Error | undefined;

  /** @param accessToken token of a connection by OAuth 2.0; undefined with pasted credentials */
  constructor(
    private readonly rules: HttpRules,
    private readonly accessToken?: string,
  ) {}

  /**
   * Expects a request.
   * @param target a path (`/v2/me`; the query is ignored), a full URL, or a pattern for the URL
   * @param details required query parameters, headers (lower case) and JSON fields
   */
  expect(method: string, target: string | RegExp, details: RequestDetails = {}): Expectation {
    const expectation = new Expectation(method.toUpperCase(), target, details);
    this.expectations.push(expectation);
    return expectation;
  }

  /** Sets the handler of requests without an expectation. If it returns undefined, the request fails. */
  serve(server: (request: SentRequest) => TestReply | undefined): void {
    this.server = server;
  }

  async request(given: HttpRequest): Promise<HttpResponse> {
    const request = { ...given, url: this.rules.resolve(given.url) };
    if (given.auth !== 'connection') return this.send(request);
    const token = this.accessToken === undefined ? undefined : createTestToken(this.accessToken);
    return sendAuthenticated(request, this.rules, token, authenticated => this.send(authenticated));
  }

  async stream(given: HttpRequest): Promise<HttpStreamResponse> {
    const { status, headers, bytes } = await this.request(given);
    return { status, headers, stream: Readable.from(bytes.byteLength > 0 ? [bytes] : []) };
  }

  private async send(request: HttpRequest): Promise<HttpResponse> {
    const { body } = request;
    const sent = toSentRequest({ ...request, body: isStream(body) ? await readBuffer(body) : body });
    const key = JSON.stringify([sent.method, sent.url.href, sent.json ?? null, String(sent.body ?? '')]);
    const reply = this.findReplay(key) ?? this.findReply(sent);
    if (!reply) throw this.toUnexpectedRequestError(sent);
    if (!this.replayed) {
      this.sent.push(sent);
      this.replies.push({ key, reply });
    }
    if (reply.unreachable !== undefined) throw new UnreachableError(reply.unreachable);
    return toHttpResponse(reply);
  }

  /** Rejects a URL that is not http or https. The rules about hosts exist only in the hub. */
  async check(url: string): Promise<void> {
    const address = this.rules.resolve(url);
    const isAddress = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
    if (!isAddress) throw new UnreachableError('This is no address that can be called.');
  }

  /** Runs a delivery again. The same requests get the same responses, and no expectation is used. */
  async replay(from: number, delivery: () => Promise<unknown>): Promise<void> {
    const repliesByKey = Map.groupBy(this.replies.slice(from), ({ key }) => key);
    this.replayed = new Map([...repliesByKey].map(([key, all]) => [key, all.map(({ reply }) => reply)]));
    try {
      await delivery();
    } finally {
      this.replayed = undefined;
    }
  }

  /** Number of requests with a response so far. */
  get replyCount(): number {
    return this.replies.length;
  }

  /** Throws if there was an unexpected request since the last check. */
  assertExpected(): void {
    const error = this.unexpected;
    this.unexpected = undefined;
    if (error) throw error;
  }

  /** Throws if an expectation was not used. */
  assertDone(): void {
    const open = this.expectations.filter(expectation => !expectation.wasUsed);
    if (open.length > 0) throw new Error(`The plugin never sent ${open.map(String).join(', nor ')}.`);
  }

  private findReply(sent: SentRequest): TestReply | undefined {
    const expectation = this.expectations.find(expectation => expectation.matches(sent));
    return expectation ? expectation.consume() : this.server?.(sent);
  }

  private findReplay(key: string): TestReply | undefined {
    const replies = this.replayed?.get(key);
    return replies && replies.length > 1 ? replies.shift() : replies?.[0];
  }

  private toUnexpectedRequestError({ method, url }: SentRequest): Error {
    const open = this.expectations.filter(expectation => !expectation.isExhausted);
    const remaining = open.length > 0 ? `Still expected: ${open.map(String).join(', ')}.` : 'Nothing more is expected.';
    const when = this.replayed ? ' when the same was delivered a second time' : '';
    this.unexpected ??= new Error(
      `The plugin sent ${method} ${url.origin}${url.pathname}${when}, which the test does not expect. ${remaining} ` +
        `Add an expectation: hub.http.expect('${method}', '${url.pathname}').reply(200, …)`,
    );
    return this.unexpected;
  }
}

/** A token that is refreshed once: `test-access-token` becomes `test-access-token-refreshed`. */
function createTestToken(token: string): RenewableToken {
  return {
    current: async () => token,
    renew: async () => `${token}-refreshed`,
    reject: async () => {
      throw new PermanentError('The provider refuses the refreshed access token: users have to sign in again.');
    },
  };
}

function toSentRequest(request: Omit<HttpRequest, 'body'> & Pick<SentRequest, 'body'>): SentRequest {
  const { method = 'GET', url, query = {}, headers = {}, json, form, body } = request;
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { method, url: address, headers: lowered, json, body: form === undefined ? body : encodeForm(form) };
}

function toHttpResponse({ status, body, bytes: sent, headers = {} }: TestReply): HttpResponse {
  const bytes = sent ?? Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  const text = Buffer.from(bytes).toString('utf8');
  return {
    status,
    headers,
    text,
    bytes,
    json<Body>(): Body {
      try {
        return JSON.parse(text) as Body;
      } catch {
        throw new UnreachableError(`The response with status ${status} is not JSON: ${text.slice(0, 80)}`);
      }
    },
  };
}
