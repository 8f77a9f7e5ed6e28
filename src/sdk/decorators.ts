import { SetMetadata } from '@nestjs/common';
import type { ToolInput, ToolSchema } from './schema.js';
import type { McpToolOptions } from './tool.js';

/** A fixed key: with a random one, a plugin that bundles its own copy of this package would not be found. */
export const MCP_TOOL_METADATA = 'rapport:mcp-tool';

/** Checks that the method takes what the input schema yields. */
type ToolMethod<Input> = <Method extends (input: Input, context: never) => unknown>(
  target: object,
  key: string | symbol,
  descriptor: TypedPropertyDescriptor<Method>,
) => void;

/**
 * Makes a method of a provider a tool for agents. The method receives the checked input and a `ToolContext`;
 * a plain object that it returns becomes structured content and the same JSON as text.
 * @example
 * ```ts
 * @McpTool({ name: 'acme_list_calls', title: 'List calls', description: 'Latest calls with a person.',
 *   input: z.object({ focus: z.string() }), scopes: ['read'],
 *   annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true } })
 * listCalls({ focus }: { focus: string }, { signal }: ToolContext) { … }
 * ```
 */
export function McpTool<S extends ToolSchema>(options: McpToolOptions<S>): ToolMethod<ToolInput<S>> {
  return SetMetadata(MCP_TOOL_METADATA, options);
}
