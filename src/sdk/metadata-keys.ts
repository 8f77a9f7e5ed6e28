/**
 * The keys under which decorators store metadata with `Reflect.defineMetadata` on the method (`lifecycle`: on the
 * class). They are constants, because a plugin may bring its own copy of this package. The value is the name (`events`:
 * the names), the options of a tool, resource or prompt, or `true` for the lifecycle.
 * @example Reflect.getMetadata(metadataKeys.job, method) // 'backfill'
 */
export const metadataKeys = {
  job: 'rapport:on-job',
  run: 'rapport:on-run',
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
 * The metadata key of tools.
 * @example Reflect.getMetadata(MCP_TOOL_METADATA, method) // McpToolOptions
 */
export const MCP_TOOL_METADATA = metadataKeys.tool;
