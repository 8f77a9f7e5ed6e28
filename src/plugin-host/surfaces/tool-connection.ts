import type { McpToolOptions } from '#sdk/tool.js';
import { ToolError } from '#sdk/errors.js';
import { createArgumentParser, toToolJsonSchema } from '#kernel/mcp/tool-schema.js';

/** A tool of a plugin with several connections, as it is registered. */
export interface ConnectionTool {
  /** The declaration, whose input has `connection_id` too. */
  readonly options: McpToolOptions;
  /** Takes `connection_id` out of arguments, and gives the rest as the plugin's own schema parses it. @throws ToolError */
  split(args: Record<string, unknown>): { readonly connectionId: string | undefined; readonly input: unknown };
}

const CONNECTION_ID = {
  type: 'string',
  format: 'uuid',
  description: 'Connection to use, if there are several: the error of a call without it lists them.',
};

/** Adds `connection_id` to the input of a tool; undefined if its schema is invalid, which the registry explains. */
export function addConnectionArgument(options: McpToolOptions): ConnectionTool | undefined {
  const prepared = prepareInput(options);
  if (!prepared) return undefined;
  const { schema, parse } = prepared;
  const properties = { ...(schema['properties'] as object | undefined), connection_id: CONNECTION_ID };
  return {
    options: { ...options, input: { ...schema, properties } },
    split: ({ connection_id: connectionId, ...args }) => {
      const parsed = parse(args);
      if ('value' in parsed) return { connectionId: connectionId as string | undefined, input: parsed.value };
      throw new ToolError(parsed.problems.map(({ message }) => message).join(' '));
    },
  };
}

function prepareInput({ input }: McpToolOptions) {
  try {
    return { schema: toToolJsonSchema(input, 'input'), parse: createArgumentParser(input) };
  } catch {
    return undefined;
  }
}
