import { isToolError } from '#sdk/errors.js';
import { HubError, type Problem } from '#kernel/errors/errors.js';

/** More lines than this cost a model more than they tell it. */
const LINES_SHOWN = 20;
const TELLABLE = ['supported', 'valid_types', 'valid_intents', 'max', 'entity_ids', 'which'];

/** What a model may read about an error: our own texts, never those of a database or a third party. */
export function explain(error: unknown): string | undefined {
  if (isToolError(error)) return error.message;
  if (!(error instanceof HubError) || error.code === 'internal_error') return undefined;
  const said = `${error.code}: ${error.detail ?? 'the call was refused.'}`;
  const advice = adviceOn(error);
  return [advice ? `${said} ${advice}` : said, ...lines(error.details ?? []), ...lines(factsOf(error))].join('\n');
}

/**
 * What else the error tells: names, limits and ids of ours. Fields that hold what users wrote are left out: words that
 * were stored must not look like words of this server.
 */
function factsOf({ extra }: HubError): Problem[] {
  const { current, ...others } = extra;
  const version = (current as { version?: unknown } | null | undefined)?.version;
  const told = TELLABLE.filter(name => name in others).map(name => ({
    field: name,
    message: [others[name]].flat().join(', '),
  }));
  return typeof version === 'number' ? [...told, { field: 'current version', message: String(version) }] : told;
}

/** Arguments that did not pass the tool's schema. */
export function explainProblems(name: string, problems: readonly Problem[]): string {
  const what = `The arguments of ${name} are not accepted; correct them and call again.`;
  return [what, ...lines(problems)].join('\n');
}

/** The sentence for everything else. Whoever reads the log finds the call by the request id. */
export function fixedSentence(what: string, isRepeatable: boolean, requestId: string): string {
  const retry = isRepeatable ? 'One retry is safe.' : 'It may have taken effect: look before you call it again.';
  return `The ${what} failed on our side (request ${requestId}). ${retry} If it fails again, tell the user.`;
}

function adviceOn({ code, retryAfterSeconds }: HubError): string {
  if (retryAfterSeconds !== undefined) return `Retry after ${retryAfterSeconds} s.`;
  return code === 'plan_required' || code === 'forbidden_scope' ? 'Do not retry; tell the user.' : '';
}

function lines(problems: readonly Problem[]): string[] {
  const shown = problems.slice(0, LINES_SHOWN).map(({ field, message }) => `- ${field}: ${message}`);
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, `- and ${more} more`] : shown;
}
