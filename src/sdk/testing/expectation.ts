import { isDeepStrictEqual } from 'node:util';
import type { Json } from '../schema.js';
import type { SentRequest, TestReply } from './test-http.js';

/**
 * Required parts of a request besides its method and address.
 * @example { query: { limit: '100' }, headers: { authorization: 'Bearer test-api_key' }, json: { active: true } }
 */
export interface RequestDetails {
  /** Required query parameters with their values. */
  readonly query?: Readonly<Record<string, string>>;
  /** Required headers with their values, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Required fields of the JSON body with their values. */
  readonly json?: { readonly [field: string]: Json };
}

/**
 * A request that the test expects, with its response.
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

  /** Sets the response of the provider: JSON, or text if `body` is a string. Default: 200 without a body. */
  reply(status: number, body?: Json, headers: Readonly<Record<string, string>> = {}): this {
    this.response = { status, headers, ...(body !== undefined && { body }) };
    return this;
  }

  /** Makes the request throw an `UnreachableError` with this message, as if the provider did not respond. */
  fail(message = 'The provider does not answer.'): this {
    this.response = { status: 0, unreachable: message };
    return this;
  }

  /** Sets how often the expectation can be used. Default: once. */
  times(count: number): this {
    this.maxUses = count;
    return this;
  }

  /** Lets the expectation be used any number of times. */
  always(): this {
    return this.times(Number.POSITIVE_INFINITY);
  }

  /** Whether the expectation cannot be used again. */
  get isExhausted(): boolean {
    return this.useCount >= this.maxUses;
  }

  /** Whether the expectation was used at least once. */
  get wasUsed(): boolean {
    return this.useCount > 0;
  }

  /** Checks whether a request matches the expectation. */
  matches({ method, url, headers, json }: SentRequest): boolean {
    const { query = {}, headers: expected = {}, json: fields = {} } = this.details;
    const body = (typeof json === 'object' && json !== null ? json : {}) as { readonly [field: string]: Json };
    return (
      !this.isExhausted &&
      method === this.method &&
      this.matchesUrl(url) &&
      Object.entries(query).every(([name, value]) => url.searchParams.get(name) === value) &&
      Object.entries(expected).every(([name, value]) => headers[name] === value) &&
      Object.entries(fields).every(([name, value]) => isDeepStrictEqual(body[name], value))
    );
  }

  /** Returns the response and counts one use. */
  consume(): TestReply {
    this.useCount += 1;
    return this.response;
  }

  /** Formats the expectation for messages. */
  toString(): string {
    return `${this.method} ${String(this.target)}`;
  }

  private matchesUrl(url: URL): boolean {
    if (typeof this.target !== 'string') return this.target.test(url.href);
    if (this.target.startsWith('/')) return url.pathname === this.target;
    return `${url.origin}${url.pathname}` === this.target || url.href === this.target;
  }
}
