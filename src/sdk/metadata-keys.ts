/**
 * The keys under which decorators leave their mark, with `Reflect.defineMetadata` on the method (`lifecycle`: on the
 * class). They are fixed texts: with random ones, a plugin that brings its own copy of this package would not be
 * found. The value is the name (`events`: the names), for what agents are offered its options, for the lifecycle `true`.
 * @example Reflect.getMetadata(metadataKeys.job, method) // 'backfill'
 */
export const metadataKeys = {
  job: 'rapport:on-job',
  event: 'rapport:on-event',
  events: 'rapport:on-events',
  inbound: 'rapport:on-inbound',
  route: 'rapport:on-route',
  tool: 'rapport:mcp-tool',
  resource: 'rapport:mcp-resource',
  prompt: 'rapport:mcp-prompt',
  lifecycle: 'rapport:lifecycle',
} as const;

/**
 * The key of tools.
 * @example Reflect.getMetadata(MCP_TOOL_METADATA, method) // McpToolOptions
 */
export const MCP_TOOL_METADATA = metadataKeys.tool;
