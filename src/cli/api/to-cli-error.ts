import { CliError, EXIT, type ExitCode, type ErrorDetails } from '../base/exit.js';

interface ErrorBody {
  readonly error?: unknown;
  readonly detail?: unknown;
  readonly details?: unknown;
  readonly request_id?: unknown;
  readonly scope?: unknown;
}

/** The failure that an answer of the hub stands for. */
export function toCliError(status: number, body: unknown, what: string): CliError {
  const { error, detail, details, request_id } = toErrorBody(body);
  const code = typeof error === 'string' ? error : `http_${status}`;
  const hint = hintFor(status, code);
  const facts: ErrorDetails = {
    status,
    ...(hint !== undefined && { hint }),
    ...(Array.isArray(details) && { details }),
    ...(typeof request_id === 'string' && { requestId: request_id }),
  };
  const sentence =
    typeof detail === 'string' ? detail : (DEFAULT_MESSAGES[status] ?? `The hub answered ${what} with ${code}.`);
  return new CliError(exitCodeFor(status), code, sentence, facts);
}

const DEFAULT_MESSAGES: Readonly<Record<number, string>> = {
  401: 'The hub refuses the API key: it is wrong, expired or revoked.',
  404: 'The hub knows nothing of that.',
  429: 'The hub is asked too often.',
};

function exitCodeFor(status: number): ExitCode {
  if (status === 401) return EXIT.notSignedIn;
  if (status === 404) return EXIT.notFound;
  if (status === 429 || status >= 500) return EXIT.unreachable;
  return status >= 400 ? EXIT.refused : EXIT.failed;
}

function hintFor(status: number, code: string): string | undefined {
  if (status === 401) return 'Run rapport login, or set RAPPORT_API_KEY to a key that works.';
  if (status === 403 && code !== 'plan_required') {
    return 'This key may not do that. Sign in with one that may: rapport login --scopes read,write,admin.';
  }
  if (status === 429 || status >= 500) return 'Try again in a moment. rapport doctor says what is wrong.';
  return undefined;
}

function toErrorBody(body: unknown): ErrorBody {
  return typeof body === 'object' && body !== null ? body : {};
}
