import { CliError, EXIT } from '../base/exit.js';
import type { Settings } from '../settings/settings.js';
import { CLIENT_LABEL } from '../version.js';
import { toCliError } from './to-cli-error.js';
import { MAX_ATTEMPTS, isRetryable, wasNotSent, delay, computeRetryWaitMs } from './retry.js';

const DEFAULT_TIMEOUT_MS = 30_000;

/** Options of a request. */
export interface ApiRequest {
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form, as OAuth requires. */
  readonly form?: Readonly<Record<string, string>>;
  /** Makes a write safe to retry. */
  readonly idempotencyKey?: string;
  /** Set for a POST request that does not write and can be retried. */
  readonly readsOnly?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Maximum number of attempts. Default: 4. */
  readonly attempts?: number;
  /** Time limit of one attempt, in milliseconds. Default: 30,000. */
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
        body: request.form
          ? new URLSearchParams(request.form)
          : request.body === undefined
            ? undefined
            : JSON.stringify(request.body),
        signal: AbortSignal.any([this.signal, AbortSignal.timeout(request.timeoutMs ?? DEFAULT_TIMEOUT_MS)]),
        // A redirect would send the key to another address.
        redirect: 'error',
      });
    } catch (error) {
      if (this.signal.aborted) throw CliError.interrupted();
      return { error };
    }
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
