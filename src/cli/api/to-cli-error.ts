import { CliError, EXIT, type ExitCode, type ErrorDetails } from '../base/exit.js';

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
