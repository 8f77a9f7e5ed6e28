import { HubError } from '#kernel/errors/errors.js';

const LONGEST = 300;

/** The errors whose detail may be what a provider said, in words of ours. */
const OWN_WORDS = {
  invalid_credentials: 'The provider does not accept these credentials; nothing was saved. Ask the user for others.',
  provider_refused: 'The provider refused to be connected; nothing was saved. Tell the user.',
  provider_unreachable: 'The provider gave no usable answer; nothing was saved. Try again later.',
};
const QUOTED_BY = 'With dry_run the answer quotes what the provider says.';

/** Words of a third party as a model may read them: marked as a quotation, on one line, and short. */
export function quoted(words: string): string {
  return JSON.stringify(words.slice(0, LONGEST));
}

/**
 * The same error in words of ours alone: what a provider writes must not look like an instruction of this server. Any
 * other error stays as it is, what a manifest says of single fields included.
 */
export function inOwnWords(error: unknown): unknown {
  if (!(error instanceof HubError) || !isOfProviders(error.code)) return error;
  const problems = error.details?.filter(({ field }) => field.startsWith('credentials.')) ?? [];
  if (problems.length > 0) return new HubError(error.code, { details: problems });
  return new HubError(error.code, { detail: `${OWN_WORDS[error.code]} ${QUOTED_BY}` });
}

function isOfProviders(code: string): code is keyof typeof OWN_WORDS {
  return Object.hasOwn(OWN_WORDS, code);
}
