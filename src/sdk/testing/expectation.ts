import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../json.js';
import type { SentRequest, TestReply } from './provider-traffic.js';

/**
 * What a request must hold besides its method and address.
 * @example { query: { limit: '100' }, headers: { authorization: 'Bearer test-api_key' }, json: { active: true } }
 */
export interface RequestDetails {
  /** Parameters that must be there, each with this value. */
  readonly query?: Readonly<Record<string, string>>;
  /** Headers that must be there, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Fields of the JSON body that must be there, each with this value. */
  readonly json?: { readonly [field: string]: Json };
}

/**
 * A request that the test expects, and what it gets.
 * @example hub.http.expect('GET', '/v2/me').reply(401, { message: 'unknown key' });
 */
export class Expectation {
  private useCount = 0;
  private maxUses = 1;
  private response: TestReply = { status: 200 };

  constructor(
    private readonly method: string,
    private readonly target: string | RegExp,
    private readonly details: RequestDetails,
  ) {}

  /** What the provider answers: JSON, or text when `body` is a string. Default: 200 without a body. */
  reply(status: number, body?: Json, headers: Readonly<Record<string, string>> = {}): this {
    this.response = { status, headers, ...(body !== undefined && { body }) };
    return this;
  }

  /** The provider does not answer; the request throws `UnreachableError` with this sentence. */
  fail(message = 'The provider does not answer.'): this {
    this.response = { status: 0, unreachable: message };
    return this;
  }

  /** How often it may be used. Default: once. */
  times(count: number): this {
    this.maxUses = count;
    return this;
  }

  /** It may be used as often as the plugin likes. */
  always(): this {
    return this.times(Number.POSITIVE_INFINITY);
  }

  /** Whether it may not be used again. */
  get isExhausted(): boolean {
    return this.useCount >= this.maxUses;
  }

  /** Whether it was used at all. */
  get wasUsed(): boolean {
    return this.useCount > 0;
  }

  /** Whether a request is the expected one. */
  matches({ method, url, headers, json }: SentRequest): boolean {
    const { query = {}, headers: wanted = {}, json: fields = {} } = this.details;
    const body = (typeof json === 'object' && json !== null ? json : {}) as { readonly [field: string]: Json };
    return (
      !this.isExhausted &&
      method === this.method &&
      this.matchesUrl(url) &&
      Object.entries(query).every(([name, value]) => url.searchParams.get(name) === value) &&
      Object.entries(wanted).every(([name, value]) => headers[name] === value) &&
      Object.entries(fields).every(([name, value]) => isDeepStrictEqual(body[name], value))
    );
  }

  /** Its answer; one use is gone. */
  consume(): TestReply {
    this.useCount += 1;
    return this.response;
  }

  /** For messages. */
  toString(): string {
    return `${this.method} ${String(this.target)}`;
  }

  private matchesUrl(url: URL): boolean {
    if (typeof this.target !== 'string') return this.target.test(url.href);
    if (this.target.startsWith('/')) return url.pathname === this.target;
    return `${url.origin}${url.pathname}` === this.target || url.href === this.target;
  }
}
