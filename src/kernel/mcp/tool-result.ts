import { isToolContent, type ContentBlock } from '#sdk/content.js';
import type { McpToolOptions } from '#sdk/tool.js';
import { truncateObject, truncateText, OUTPUT_BUDGET_TOKENS } from './output-budget.js';

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
