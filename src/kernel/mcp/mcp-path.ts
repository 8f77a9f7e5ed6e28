/** Path of the MCP endpoint. */
export const MCP_PATH = '/mcp';

/** Returns whether a Fastify request was routed to MCP, whatever its raw URL looks like. */
export function isMcpRequest(request: { readonly routeOptions: { readonly url?: string | undefined } }): boolean {
  return request.routeOptions.url === MCP_PATH;
}
