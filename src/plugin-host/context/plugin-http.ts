import type { HttpResponse, HttpRequest, HubHttp } from '#sdk/http.js';
import type { Json } from '#sdk/json.js';
import { PermanentError, UnreachableError } from '#sdk/errors.js';
import type { EgressResponse, EgressClient, EgressRequest } from '#kernel/egress/egress.client.js';
import { EgressFailedError, EgressRefusedError } from '#kernel/egress/egress-errors.js';
import type { Redactor } from '#kernel/egress/redactor.js';
import { withRetries } from '#kernel/egress/retries.js';

const TIMEOUT_BOUNDS_MS = { least: 100, usual: 10_000, most: 60_000 };
const MAX_ATTEMPTS = 6;
const DEFAULT_READ_ATTEMPTS = 3;
const MAX_QUOTED_LENGTH = 200;
/** What HTTP lets a header hold; a key that was copied with a stray sign does not fit. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What a plugin's requests are sent with. */
export interface PluginHttpOptions {
  readonly client: EgressClient;
  readonly redact: Redactor;
  readonly signal: AbortSignal;
}

/** The way out for one plugin and one delivery: bounded, tried again where that does no harm, silent about secrets. */
export function createHubHttp({ client, redact, signal }: PluginHttpOptions): HubHttp {
  return {
    async check(url: string): Promise<void> {
      try {
        await client.check(url);
      } catch (error) {
        throw error instanceof EgressRefusedError ? new UnreachableError(error.message) : error;
      }
    },
    async request(request: HttpRequest): Promise<HttpResponse> {
      const asked = { ...toEgressRequest(request), signal };
      try {
        const answer = await withRetries({ attempts: computeAttempts(request), signal }, () => client.send(asked));
        return toHttpResponse(answer, redact);
      } catch (error) {
        if (!(error instanceof EgressFailedError) && !(error instanceof EgressRefusedError)) throw error;
        throw new UnreachableError(redact(`${formatHost(request.url)}: ${error.message}`));
      }
    },
  };
}

function toEgressRequest({ method, url, query = {}, headers = {}, json, body, timeoutMs }: HttpRequest): EgressRequest {
  if (!URL.canParse(url)) throw new UnreachableError('This is no address (URL).');
  for (const [name, value] of Object.entries(headers)) checkHeaderValue(name, value);
  const target = new URL(url);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.append(name, String(value));
  const isJson = json !== undefined;
  return {
    method,
    url: target.href,
    headers: { accept: 'application/json', ...(isJson && { 'content-type': 'application/json' }), ...headers },
    body: isJson ? JSON.stringify(json) : body,
    timeoutMs: Math.min(
      Math.max(timeoutMs ?? TIMEOUT_BOUNDS_MS.usual, TIMEOUT_BOUNDS_MS.least),
      TIMEOUT_BOUNDS_MS.most,
    ),
  };
}

/** The header mostly carries a credential, so its value stands in no message. @throws PermanentError */
function checkHeaderValue(name: string, value: string): void {
  if (HEADER_VALUE.test(value)) return;
  const what = `What is sent as the header "${name.toLowerCase()}" has a character that headers cannot carry`;
  throw new PermanentError(`${what}; was it pasted along?`);
}

/** What may have taken effect is not sent twice unless the plugin says so. */
function computeAttempts({ method = 'GET', attempts }: HttpRequest): number {
  const usual = method === 'POST' || method === 'PATCH' ? 1 : DEFAULT_READ_ATTEMPTS;
  return Math.min(Math.max(attempts ?? usual, 1), MAX_ATTEMPTS);
}

function toHttpResponse({ status, headers, body }: EgressResponse, redact: Redactor): HttpResponse {
  const text = body.toString('utf8');
  return {
    status,
    headers,
    text,
    json<Body = Json>(): Body {
      try {
        return JSON.parse(text) as Body;
      } catch {
        throw new UnreachableError(`The answer (${status}) is no JSON: ${redact(text.slice(0, MAX_QUOTED_LENGTH))}`);
      }
    },
  };
}

function formatHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the address';
}
