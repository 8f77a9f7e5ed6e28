import { UnreachableError } from '../errors.js';
import type { HttpResponse, HttpRequest, HubHttp } from '../http.js';
import { Expectation, type RequestDetails } from './expectation.js';
import type { SentRequest, TestReply } from './provider-traffic.js';

/**
 * The provider, played by the test. Requests get the answer of the oldest expectation that fits and has not been
 * used up; else that of `serve`; else they fail, and with them the delivery that made them, even if the plugin
 * swallows the error. Nothing is tried twice here, whatever `attempts` says.
 * @example hub.http.expect('POST', '/v2/webhooks').reply(201, { data: { id: 'w-1' } });
 */
export class TestHttp implements HubHttp {
  /** Everything that was sent, oldest first; the second delivery of the same thing is left out. */
  readonly sent: SentRequest[] = [];
  private readonly expectations: Expectation[] = [];
  private server: ((request: SentRequest) => TestReply | undefined) | undefined;
  private readonly replies: { key: string; reply: TestReply }[] = [];
  private replayed: Map<string, TestReply[]> | undefined;
  private unexpected: Error | undefined;

  /**
   * Says what a request gets.
   * @param target a path (`/v2/me`; the query is not looked at), a whole address, or a pattern for the address
   * @param details what the request must hold besides: some of its query, headers (lower case) and JSON fields
   */
  expect(method: string, target: string | RegExp, details: RequestDetails = {}): Expectation {
    const expectation = new Expectation(method.toUpperCase(), target, details);
    this.expectations.push(expectation);
    return expectation;
  }

  /** Answers what no expectation answers; undefined lets the request fail. */
  serve(server: (request: SentRequest) => TestReply | undefined): void {
    this.server = server;
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    const sent = toSentRequest(request);
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

  /** Refuses what is no address for http; which hosts may be called is the hub's business. */
  async check(url: string): Promise<void> {
    const isAddress = URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
    if (!isAddress) throw new UnreachableError('This is no address that can be called.');
  }

  /** Runs a delivery again: the same requests get the same answers, without using expectations up. */
  async replay(from: number, delivery: () => Promise<unknown>): Promise<void> {
    const answers = Map.groupBy(this.replies.slice(from), ({ key }) => key);
    this.replayed = new Map([...answers].map(([key, all]) => [key, all.map(({ reply }) => reply)]));
    try {
      await delivery();
    } finally {
      this.replayed = undefined;
    }
  }

  /** How many requests have been answered so far. */
  get replyCount(): number {
    return this.replies.length;
  }

  /** Throws when a request came that nothing was said about, and forgets it. */
  assertExpected(): void {
    const error = this.unexpected;
    this.unexpected = undefined;
    if (error) throw error;
  }

  /** Throws when an expectation was not used. */
  assertDone(): void {
    const open = this.expectations.filter(expectation => !expectation.wasUsed);
    if (open.length > 0) throw new Error(`The plugin never sent ${open.map(String).join(', nor ')}.`);
  }

  private findReply(sent: SentRequest): TestReply | undefined {
    const expectation = this.expectations.find(one => one.matches(sent));
    return expectation ? expectation.consume() : this.server?.(sent);
  }

  private findReplay(key: string): TestReply | undefined {
    const replies = this.replayed?.get(key);
    return replies && replies.length > 1 ? replies.shift() : replies?.[0];
  }

  private toUnexpectedRequestError({ method, url }: SentRequest): Error {
    const open = this.expectations.filter(one => !one.isExhausted);
    const awaited = open.length > 0 ? `Still expected: ${open.map(String).join(', ')}.` : 'Nothing more is expected.';
    const when = this.replayed ? ' when the same was delivered a second time' : '';
    this.unexpected ??= new Error(
      `The plugin sent ${method} ${url.origin}${url.pathname}${when}, which the test does not expect. ${awaited} ` +
        `Say what it gets: hub.http.expect('${method}', '${url.pathname}').reply(200, …)`,
    );
    return this.unexpected;
  }
}

function toSentRequest({ method = 'GET', url, query = {}, headers = {}, json, body }: HttpRequest): SentRequest {
  const address = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) address.searchParams.set(name, String(value));
  }
  const lowered = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  return { method, url: address, headers: lowered, json, body };
}

function toHttpResponse({ status, body, headers = {} }: TestReply): HttpResponse {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers,
    text,
    json<Body>(): Body {
      try {
        return JSON.parse(text) as Body;
      } catch {
        throw new UnreachableError(`The answer ${status} is no JSON: ${text.slice(0, 80)}`);
      }
    },
  };
}
