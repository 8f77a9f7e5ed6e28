import { isToolError } from '#sdk/errors.js';
import { isToolContent, type ContentBlock } from '#sdk/content.js';
import type { McpToolOptions } from '#sdk/tool.js';
import { HubError, type FieldProblem } from '../errors/hub-error.js';
import { truncateObject, truncateText, OUTPUT_BUDGET_TOKENS } from './output-budget.js';

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

/** Result of a call in the form of both protocol revisions. */
export interface ToolResult {
  [key: string]: unknown;
  content: ContentBlock[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/**
 * Converts a handler's return value to a result within the output budget. An object is sent as structured content and
 * as the same JSON in text, because a client may show either; texts and lists are sent as text only.
 * @throws TypeError for a value that JSON cannot represent, and for anything but an object if the tool declares an
 * output.
 */
export function toToolResult(options: McpToolOptions, returned: unknown, budget = OUTPUT_BUDGET_TOKENS): ToolResult {
  if (isToolContent(returned)) return { content: returned.blocks.map(block => truncateBlock(block, budget)) };
  if (isObject(returned)) return toStructuredResult(options, returned, budget);
  if (options.output) throw new TypeError(`${options.name} declares an output but returned no object.`);
  const text = typeof returned === 'string' ? returned : (JSON.stringify(returned) ?? 'done');
  return { content: [{ type: 'text', text: truncateText(text, budget) }] };
}

/** Returns a result with an error message for the model. */
export function toErrorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function toStructuredResult(options: McpToolOptions, returned: Record<string, unknown>, budget: number): ToolResult {
  const fitted = truncateObject(returned, options.trim ?? [], budget);
  if (!fitted) return toErrorResult(tooLargeMessage(options, budget));
  return { content: [{ type: 'text', text: fitted.text }], structuredContent: fitted.value };
}

function truncateBlock(block: ContentBlock, budget: number): ContentBlock {
  return block.type === 'text' ? { ...block, text: truncateText(block.text, budget) } : block;
}

function tooLargeMessage({ name, annotations }: McpToolOptions, budget: number): string {
  const what = `The result of ${name} is larger than ${budget} tokens`;
  return annotations.readOnlyHint
    ? `${what}. Ask for less: a smaller limit or a narrower question.`
    : `${what} and is left out, but the call was carried out. Do not repeat it.`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
