import type { IncomingHttpHeaders } from 'node:http';
import type { McpToolOptions } from '#sdk/tool.js';

const SEPARATOR = /[\s,]+/;
const MAX_NAMES = 200;

/** Selection of tools by a client, which reduces the tokens that definitions cost its model. */
export interface ToolFilter {
  /** Undefined for all tools. */
  readonly names: ReadonlySet<string> | undefined;
  readonly readOnly: boolean;
}

/**
 * Parses the selection from the URL (`?tools=get_account,record`, `?readonly=true`) and the headers (`X-MCP-Tools`,
 * `X-MCP-Readonly`); if both are present, both apply. It narrows what plan and scopes allow and never widens it.
 */
export function parseToolFilter(url: string, headers: IncomingHttpHeaders): ToolFilter | undefined {
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : undefined;
  const lists = [query?.get('tools'), headers['x-mcp-tools']?.toString()].filter(list => list?.trim());
  const switches = [query?.get('readonly'), headers['x-mcp-readonly']?.toString()];
  const readOnly = switches.some(value => value === '' || value === 'true' || value === '1');
  if (lists.length === 0) return readOnly ? { names: undefined, readOnly } : undefined;
  const [first, second] = lists.map(list => new Set(list!.trim().split(SEPARATOR, MAX_NAMES)));
  return { names: second ? first!.intersection(second) : first, readOnly };
}

/** Explains to a model why a tool is not selected; undefined if it is. */
export function explainExclusion(
  filter: ToolFilter | undefined,
  { name, annotations }: McpToolOptions,
): string | undefined {
  if (!filter) return undefined;
  const reason =
    filter.readOnly && !annotations.readOnlyHint
      ? 'writes, and this connection was set up to read only'
      : filter.names && !filter.names.has(name) && 'is not among the tools that this connection was set up with';
  return reason ? `The tool ${name} ${reason}. Do not retry; tell the user.` : undefined;
}
