import type { HttpAnswer, HttpRequest, HubHttp } from '#sdk/http.js';
import type { Json } from '#sdk/json.js';
import { PermanentError, Unreachable } from '#sdk/errors.js';
import type { EgressAnswer, EgressClient, EgressRequest } from '#kernel/egress/egress.client.js';
import { EgressFailed, EgressRefused } from '#kernel/egress/egress-errors.js';
import type { Redactor } from '#kernel/egress/redactor.js';
import { withRetries } from '#kernel/egress/retries.js';

const TIMEOUT_MS = { least: 100, usual: 10_000, most: 60_000 };
const MOST_ATTEMPTS = 6;
const READ_AGAIN = 3;
const QUOTED = 200;
/** What HTTP lets a header hold; a key that was copied with a stray sign does not fit. */
const SENDABLE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** What a plugin's requests are sent with. */
export interface PluginHttpParts {
  readonly client: EgressClient;
  readonly redact: Redactor;
  readonly signal: AbortSignal;
}

/** The way out for one plugin and one delivery: bounded, tried again where that does no harm, silent about secrets. */
export function pluginHttp({ client, redact, signal }: PluginHttpParts): HubHttp {
  return {
    async check(url: string): Promise<void> {
      try {
        await client.check(url);
      } catch (error) {
        throw error instanceof EgressRefused ? new Unreachable(error.message) : error;
      }
    },
    async request(request: HttpRequest): Promise<HttpAnswer> {
      const asked = { ...egressRequestOf(request), signal };
      try {
        const answer = await withRetries({ attempts: attemptsOf(request), signal }, () => client.send(asked));
        return shown(answer, redact);
      } catch (error) {
        if (!(error instanceof EgressFailed) && !(error instanceof EgressRefused)) throw error;
        throw new Unreachable(redact(`${hostOf(request.url)}: ${error.message}`));
      }
    },
  };
}

function egressRequestOf({ method, url, query = {}, headers = {}, json, body, timeoutMs }: HttpRequest): EgressRequest {
  if (!URL.canParse(url)) throw new Unreachable('This is no address (URL).');
  for (const [name, value] of Object.entries(headers)) mustBeSendable(name, value);
  const target = new URL(url);
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.append(name, String(value));
  const isJson = json !== undefined;
  return {
    method,
    url: target.href,
    headers: { accept: 'application/json', ...(isJson && { 'content-type': 'application/json' }), ...headers },
    body: isJson ? JSON.stringify(json) : body,
    timeoutMs: Math.min(Math.max(timeoutMs ?? TIMEOUT_MS.usual, TIMEOUT_MS.least), TIMEOUT_MS.most),
  };
}

/** The header mostly carries a credential, so its value stands in no message. @throws PermanentError */
function mustBeSendable(name: string, value: string): void {
  if (SENDABLE.test(value)) return;
  const what = `What is sent as the header "${name.toLowerCase()}" has a character that headers cannot carry`;
  throw new PermanentError(`${what}; was it pasted along?`);
}

/** What may have taken effect is not sent twice unless the plugin says so. */
function attemptsOf({ method = 'GET', attempts }: HttpRequest): number {
  const usual = method === 'POST' || method === 'PATCH' ? 1 : READ_AGAIN;
  return Math.min(Math.max(attempts ?? usual, 1), MOST_ATTEMPTS);
}

function shown({ status, headers, body }: EgressAnswer, redact: Redactor): HttpAnswer {
  const text = body.toString('utf8');
  return {
    status,
    headers,
    text,
    json<Body = Json>(): Body {
      try {
        return JSON.parse(text) as Body;
      } catch {
        throw new Unreachable(`The answer (${status}) is no JSON: ${redact(text.slice(0, QUOTED))}`);
      }
    },
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the address';
}
