import { CliError, EXIT } from '../base/exit.js';
import type { Settings } from '../settings/settings.js';
import { CLIENT_LABEL } from '../version.js';
import { toCliError } from './to-cli-error.js';
import { MAX_ATTEMPTS, isRetryable, wasNotSent, delay, computeRetryWaitMs } from './retry.js';

const DEFAULT_TIMEOUT_MS = 30_000;

/** A request. */
export interface ApiRequest {
  readonly query?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as a form, as OAuth has it. */
  readonly form?: Readonly<Record<string, string>>;
  /** Makes a write safe to repeat. */
  readonly idempotencyKey?: string;
  /** POST that only reads. */
  readonly readsOnly?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** How often to try in all; default 4. */
  readonly attempts?: number;
  /** How long one attempt may take, in milliseconds; default 30 000. */
  readonly timeoutMs?: number;
}

/** What came back, whatever its status. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON; undefined when the body is none. */
  readonly body: unknown;
}

/** The hub, as one caller sees it. Requests that change nothing, or that may be repeated, are tried again. */
export class ApiClient {
  constructor(
    readonly settings: Settings,
    private readonly signal: AbortSignal,
  ) {}

  /** The body of a good answer. @throws CliError that says what the hub refused, or why it cannot be reached */
  async call<Body>(method: string, path: string, ask: ApiRequest = {}): Promise<Body> {
    const { status, body } = await this.send(method, path, ask);
    if (status < 200 || status > 299) throw toCliError(status, body, `${method} ${path}`);
    return body as Body;
  }

  /** Any answer. @throws CliError when there is none */
  async send(method: string, path: string, ask: ApiRequest = {}): Promise<ApiResponse> {
    const repeatable = method !== 'POST' || ask.readsOnly === true || ask.idempotencyKey !== undefined;
    const attempts = ask.attempts ?? MAX_ATTEMPTS;
    for (let attempt = 0; ; attempt++) {
      const last = attempt + 1 >= attempts;
      const outcome = await this.sendOnce(method, path, ask);
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

  private async sendOnce(method: string, path: string, ask: ApiRequest): Promise<Response | { error: unknown }> {
    const url = new URL(path, this.settings.baseUrl);
    for (const [name, value] of Object.entries(ask.query ?? {}))
      if (value !== undefined) url.searchParams.set(name, value);
    try {
      return await fetch(url, {
        method,
        headers: this.buildHeaders(ask),
        body: ask.form ? new URLSearchParams(ask.form) : ask.body === undefined ? undefined : JSON.stringify(ask.body),
        signal: AbortSignal.any([this.signal, AbortSignal.timeout(ask.timeoutMs ?? DEFAULT_TIMEOUT_MS)]),
        // A key follows nobody to another place.
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
    const hint = `Is the hub running there? The address comes from: ${baseUrlFrom}. rapport doctor looks closer.`;
    return new CliError(
      EXIT.unreachable,
      'unreachable',
      `${baseUrl} cannot be reached: ${describeNetworkError(error)}.`,
      { hint },
    );
  }
}

/** Why there was no answer, in a few words. */
export function describeNetworkError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer in time';
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
