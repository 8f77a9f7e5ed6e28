import { setTimeout as sleep } from 'node:timers/promises';
import { CliError, EXIT, type ExitCode, type ErrorDetails } from '../base/errors.js';
import type { Settings } from '../settings/settings.js';
import { CLIENT_LABEL } from '../version.js';

interface ErrorBody {
  readonly error?: unknown;
  readonly detail?: unknown;
  readonly details?: unknown;
  readonly request_id?: unknown;
  readonly scope?: unknown;
}

/** Converts an error response of the hub. @param request method and path, for messages */
export function toCliError(status: number, body: unknown, request: string): CliError {
  const { error, detail, details, request_id } = toErrorBody(body);
  const code = typeof error === 'string' ? error : `http_${status}`;
  const hint = hintFor(status, code);
  const errorDetails: ErrorDetails = {
    status,
    ...(hint !== undefined && { hint }),
    ...(Array.isArray(details) && { details }),
    ...(typeof request_id === 'string' && { requestId: request_id }),
  };
  const message =
    typeof detail === 'string' ? detail : (DEFAULT_MESSAGES[status] ?? `The hub responded to ${request} with ${code}.`);
  return new CliError(exitCodeFor(status), code, message, errorDetails);
}

const DEFAULT_MESSAGES: Readonly<Record<number, string>> = {
  401: 'The hub rejects the API key: it is wrong, expired or revoked.',
  404: 'The hub did not find it.',
  429: 'Too many requests to the hub.',
};

function exitCodeFor(status: number): ExitCode {
  if (status === 401) return EXIT.notSignedIn;
  if (status === 404) return EXIT.notFound;
  if (status === 429 || status >= 500) return EXIT.unreachable;
  return status >= 400 ? EXIT.refused : EXIT.failed;
}

function hintFor(status: number, code: string): string | undefined {
  if (status === 401) return 'Run rapport login, or set RAPPORT_API_KEY to a valid key.';
  if (code === 'forbidden_scope') {
    return 'This key lacks a permission. Sign in with more scopes: rapport login --scopes read,write,settings.';
  }
  if (status === 429 || status >= 500) return 'Try again in a moment, or run rapport doctor for details.';
  return undefined;
}

function toErrorBody(body: unknown): ErrorBody {
  return typeof body === 'object' && body !== null ? body : {};
}

/** Maximum number of attempts of a request. */
export const MAX_ATTEMPTS = 4;

const INITIAL_DELAY_MS = 250;
/** If the hub asks for a longer delay, its response is returned instead of retrying. */
const MAX_DELAY_MS = 30_000;
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);

/** Errors while connecting. The request was not sent, so any request can be retried. */
const CONNECT_ERROR_CODES = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Checks whether a status means that the request had no effect and can be retried. */
export function isRetryable(status: number): boolean {
  return RETRYABLE_STATUSES.has(status);
}

/** Checks whether a failed request was never sent to the hub. */
export function wasNotSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  const reasons: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  return (
    reasons.length > 0 && reasons.every(reason => CONNECT_ERROR_CODES.has(String((reason as { code?: string })?.code)))
  );
}

/**
 * Computes the delay before the next attempt in milliseconds: `Retry-After`, otherwise exponential backoff with
 * jitter, so that callers do not retry at the same time. Returns undefined if the delay exceeds 30 s.
 */
export function computeRetryWaitMs(attempt: number, retryAfter: string | null): number | undefined {
  const requestedMs = retryAfter === null ? undefined : parseRetryAfterMs(retryAfter);
  const waitMs = requestedMs ?? INITIAL_DELAY_MS * 2 ** attempt * (0.5 + Math.random());
  return waitMs <= MAX_DELAY_MS ? waitMs : undefined;
}

/** Waits. @throws AbortError when the signal aborts */
export async function delay(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal });
}

function parseRetryAfterMs(retryAfter: string): number | undefined {
  if (/^\d+$/.test(retryAfter.trim())) return Number(retryAfter) * 1_000;
  const at = Date.parse(retryAfter);
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

const DEFAULT_TIMEOUT_MS = 30_000;

/** Options of a request. */
export interface ApiRequest {
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form, as OAuth requires. */
  readonly form?: Readonly<Record<string, string>>;
  /** Opens what is sent as it is; called again for each attempt. */
  readonly stream?: () => ReadableStream;
  /** Makes a write safe to retry. */
  readonly idempotencyKey?: string;
  /** Set for a POST request that does not write and can be retried. */
  readonly readsOnly?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum number of attempts. Default: 4. */
  readonly attempts?: number;
  /** Time limit of one attempt, in milliseconds; `Infinity` for none. Default: 30,000. */
  readonly timeoutMs?: number;
}

/** A response of any status. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; undefined if it is not JSON. */
  readonly body: unknown;
}

/** Client of the HTTP API of the hub. Retries requests that are safe to repeat. */
export class ApiClient {
  constructor(
    readonly settings: Settings,
    private readonly signal: AbortSignal,
  ) {}

  /**
   * Sends a request and returns the body of a 2xx response.
   * @throws CliError for any other status, or if the hub cannot be reached
   */
  async call<Body>(method: string, path: string, request: ApiRequest = {}): Promise<Body> {
    const { status, body } = await this.send(method, path, request);
    if (status < 200 || status > 299) throw toCliError(status, body, `${method} ${path}`);
    return body as Body;
  }

  /** Opens the body of a 2xx response of GET, which may be large. @throws CliError as {@link call} */
  async open(path: string): Promise<ReadableStream<Uint8Array>> {
    const outcome = await this.sendOnce('GET', path, { timeoutMs: Infinity });
    if (!(outcome instanceof Response)) throw this.toUnreachableError(outcome.error);
    if (!outcome.ok) throw toCliError(outcome.status, (await toApiResponse(outcome)).body, `GET ${path}`);
    return outcome.body ?? new ReadableStream({ start: controller => controller.close() });
  }

  /** Sends a request and returns the response, whatever its status. @throws CliError if there is none */
  async send(method: string, path: string, request: ApiRequest = {}): Promise<ApiResponse> {
    const repeatable = method !== 'POST' || request.readsOnly === true || request.idempotencyKey !== undefined;
    const attempts = request.attempts ?? MAX_ATTEMPTS;
    for (let attempt = 0; ; attempt++) {
      const last = attempt + 1 >= attempts;
      const outcome = await this.sendOnce(method, path, request);
      if (outcome instanceof Response) {
        const wait = computeRetryWaitMs(attempt, outcome.headers.get('retry-after'));
        if (last || !isRetryable(outcome.status) || wait === undefined) return toApiResponse(outcome);
        await outcome.body?.cancel();
        await this.wait(wait);
      } else {
        if (last || !(repeatable || wasNotSent(outcome.error))) throw this.toUnreachableError(outcome.error);
        await this.wait(computeRetryWaitMs(attempt, null) ?? 0);
      }
    }
  }

  private async sendOnce(method: string, path: string, request: ApiRequest): Promise<Response | { error: unknown }> {
    const url = new URL(path, this.settings.baseUrl);
    for (const [name, value] of Object.entries(request.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, value);
    try {
      return await fetch(url, {
        method,
        headers: this.buildHeaders(request),
        ...toFetchBody(request),
        signal: this.limit(request.timeoutMs ?? DEFAULT_TIMEOUT_MS),
        // A redirect would send the key to another address.
        redirect: 'error',
      });
    } catch (error) {
      if (this.signal.aborted) throw CliError.interrupted();
      return { error };
    }
  }

  private limit(timeoutMs: number): AbortSignal {
    return timeoutMs === Infinity ? this.signal : AbortSignal.any([this.signal, AbortSignal.timeout(timeoutMs)]);
  }

  private buildHeaders({ body, idempotencyKey, headers }: ApiRequest): Record<string, string> {
    const { apiKey } = this.settings;
    return {
      accept: 'application/json',
      'x-rapport-client': CLIENT_LABEL,
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      ...headers,
    };
  }

  private async wait(ms: number): Promise<void> {
    await delay(ms, this.signal).catch(() => {
      throw CliError.interrupted();
    });
  }

  private toUnreachableError(error: unknown): CliError {
    const { baseUrl, baseUrlFrom } = this.settings;
    const hint = `Is the hub running there? The address comes from: ${baseUrlFrom}. Run rapport doctor for details.`;
    return new CliError(
      EXIT.unreachable,
      'unreachable',
      `${baseUrl} cannot be reached: ${describeNetworkError(error)}.`,
      { hint },
    );
  }
}

function toFetchBody({ form, stream, body }: ApiRequest): RequestInit & { duplex?: 'half' } {
  if (stream) return { body: stream(), duplex: 'half' };
  if (form) return { body: new URLSearchParams(form) };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

/** Describes why a request got no response, as a short phrase. */
export function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no response in time';
  const { cause } = error;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return first instanceof Error ? first.message || String((first as NodeJS.ErrnoException).code) : error.message;
}

async function toApiResponse(response: Response): Promise<ApiResponse> {
  const { status, headers } = response;
  const text = await response.text().catch(() => '');
  return { status, headers, body: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
