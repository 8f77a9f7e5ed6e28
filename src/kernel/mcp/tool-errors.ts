import { isToolError } from '#sdk/errors.js';
import { HubError, type FieldProblem } from '#kernel/errors/hub-error.js';

/** Maximum number of lines; more would cost a model more than they help. */
const MAX_LINES = 20;
const VISIBLE_EXTRA_FIELDS = ['supported', 'valid_types', 'valid_intents', 'max', 'entity_ids', 'which'];

/**
 * Returns what a model may read about an error: our own messages, never those of a database or a third party.
 * Undefined if there is none.
 */
export function toModelMessage(error: unknown): string | undefined {
  if (isToolError(error)) return error.message;
  if (!(error instanceof HubError) || error.code === 'internal_error') return undefined;
  const summary = `${error.code}: ${error.detail ?? 'the call was refused.'}`;
  const advice = formatAdvice(error);
  return [
    advice ? `${summary} ${advice}` : summary,
    ...formatLines(error.details ?? []),
    ...formatLines(listExtraProblems(error)),
  ].join('\n');
}

/**
 * Lists further fields of the error: names, limits and IDs of the hub. Fields with stored user text are omitted,
 * because it must not look like text of this server.
 */
function listExtraProblems({ extra }: HubError): FieldProblem[] {
  const { current, ...others } = extra;
  const version = (current as { version?: unknown } | null | undefined)?.version;
  const problems = VISIBLE_EXTRA_FIELDS.filter(name => name in others).map(name => ({
    field: name,
    message: [others[name]].flat().join(', '),
  }));
  return typeof version === 'number' ? [...problems, { field: 'current version', message: String(version) }] : problems;
}

/** Formats the message for arguments that do not match the schema of the tool. */
export function formatArgumentProblems(name: string, problems: readonly FieldProblem[]): string {
  const what = `The arguments of ${name} are not accepted; correct them and call again.`;
  return [what, ...formatLines(problems)].join('\n');
}

/** Returns the message for unexpected errors. The request ID identifies the call in the log. */
export function genericErrorMessage(what: string, isRepeatable: boolean, requestId: string): string {
  const retry = isRepeatable ? 'One retry is safe.' : 'It may have taken effect: look before you call it again.';
  return `The ${what} failed on our side (request ${requestId}). ${retry} If it fails again, tell the user.`;
}

function formatAdvice({ code, retryAfterSeconds }: HubError): string {
  if (retryAfterSeconds !== undefined) return `Retry after ${retryAfterSeconds} s.`;
  return code === 'plan_required' || code === 'forbidden_scope' ? 'Do not retry; tell the user.' : '';
}

function formatLines(problems: readonly FieldProblem[]): string[] {
  const shown = problems.slice(0, MAX_LINES).map(({ field, message }) => `- ${field}: ${message}`);
  const more = problems.length - shown.length;
  return more > 0 ? [...shown, `- and ${more} more`] : shown;
}
