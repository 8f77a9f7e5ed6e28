/** Where MCP is served. */
export const MCP_PATH = '/mcp';

/** Whether a Fastify request was routed to MCP, whatever its raw URL looks like. */
export function isMcpRequest(request: { readonly routeOptions: { readonly url?: string | undefined } }): boolean {
  return request.routeOptions.url === MCP_PATH;
}
