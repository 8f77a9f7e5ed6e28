import { HubError } from '#kernel/errors/hub-error.js';

const MAX_QUOTE_LENGTH = 300;

/** The errors whose detail may be what a provider said, in words of ours. */
const REDACTED_DETAILS = {
  invalid_credentials: 'The provider does not accept these credentials; nothing was saved. Ask the user for others.',
  provider_refused: 'The provider refused to be connected; nothing was saved. Tell the user.',
  provider_unreachable: 'The provider gave no usable answer; nothing was saved. Try again later.',
};
const DRY_RUN_HINT = 'With dry_run the answer quotes what the provider says.';

/** Words of a third party as a model may read them: marked as a quotation, on one line, and short. */
export function quoteProviderMessage(message: string): string {
  return JSON.stringify(message.slice(0, MAX_QUOTE_LENGTH));
}

/**
 * The same error in words of ours alone: what a provider writes must not look like an instruction of this server. Any
 * other error stays as it is, what a manifest says of single fields included.
 */
export function redactProviderMessage(error: unknown): unknown {
  if (!(error instanceof HubError) || !isProviderError(error.code)) return error;
  const problems = error.details?.filter(({ field }) => field.startsWith('credentials.')) ?? [];
  if (problems.length > 0) return new HubError(error.code, { details: problems });
  return new HubError(error.code, { detail: `${REDACTED_DETAILS[error.code]} ${DRY_RUN_HINT}` });
}

function isProviderError(code: string): code is keyof typeof REDACTED_DETAILS {
  return Object.hasOwn(REDACTED_DETAILS, code);
}
