import { HubError } from '#kernel/errors/hub-error.js';

const MAX_QUOTE_LENGTH = 300;

/** Replacements for the details of errors that may quote a provider. */
const REDACTED_DETAILS = {
  invalid_credentials: 'The provider does not accept these credentials; nothing was saved. Ask the user for others.',
  provider_refused: 'The provider refused to be connected; nothing was saved. Tell the user.',
  provider_unreachable: 'The provider gave no usable answer; nothing was saved. Try again later.',
};
const DRY_RUN_HINT = 'With dry_run the response quotes the message of the provider.';

/** Quotes a provider's message for a model: as a JSON string on one line, at most 300 characters of it. */
export function quoteProviderMessage(message: string): string {
  return JSON.stringify(message.slice(0, MAX_QUOTE_LENGTH));
}

/**
 * Replaces the provider's text in an error, because it must not look like an instruction of this server to a model.
 * Returns other errors unchanged, and keeps problems of single credential fields, which come from the manifest.
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
