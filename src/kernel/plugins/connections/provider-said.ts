import { errorTable } from '#kernel/errors/error-table.js';
import { HubError } from '#kernel/errors/errors.js';

/** The errors whose detail may be what a provider said. */
const OF_PROVIDERS = new Set(['invalid_credentials', 'provider_refused', 'provider_unreachable'] as const);
const LONGEST = 300;

/** Words of a third party as a model may read them: marked as a quotation, on one line, and short. */
export function quoted(words: string): string {
  return JSON.stringify(words.slice(0, LONGEST));
}

/**
 * The same error in words of ours, those of the provider as a quoted field: what a provider writes must not look like
 * an instruction of this server. Any other error stays as it is, what a manifest says of single fields included.
 */
export function inOwnWords(error: unknown): unknown {
  if (!(error instanceof HubError) || !isOfProviders(error.code)) return error;
  const { detail: own } = errorTable[error.code];
  if (error.detail === undefined || error.detail === own) return error;
  const problems = error.details ?? [];
  if (problems.some(({ field }) => field.startsWith('credentials.')))
    return new HubError(error.code, { details: problems });
  return new HubError(error.code, { details: [{ field: 'provider_said', message: quoted(error.detail) }] });
}

function isOfProviders(code: string): code is 'invalid_credentials' | 'provider_refused' | 'provider_unreachable' {
  return OF_PROVIDERS.has(code as never);
}
