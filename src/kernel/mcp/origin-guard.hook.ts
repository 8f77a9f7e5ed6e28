import type { FastifyInstance, FastifyRequest } from 'fastify';
import { RPC, buildRpcError, isMcpRequest } from './mcp-responses.js';

/** Always allowed: no foreign page can make a browser send these as Host. */
const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Hosts that a deployment accepts. */
export interface OriginOptions {
  /** `PUBLIC_URL`; its host is allowed. */
  readonly publicUrl: string;
  /** Further hosts of this deployment, and of pages that may call it; ports are ignored. */
  readonly allowedHosts?: readonly string[];
}

/**
 * Rejects MCP requests with a foreign Host or Origin, with 403 and before authentication: a page that rebinds its own
 * domain to this machine (DNS rebinding) must not reach the tools. A request without Origin does not come from a
 * page.
 */
export function registerOriginGuard(fastify: FastifyInstance, { publicUrl, allowedHosts = [] }: OriginOptions): void {
  const known = new Set([
    ...LOOPBACK_HOSTS,
    parseHostname(publicUrl),
    ...allowedHosts.map(host => parseHostname(`http://${host}`)),
  ]);
  fastify.addHook('onRequest', (request, reply, done) => {
    const foreign = isMcpRequest(request) ? findForeignHeader(request, known) : undefined;
    if (!foreign) return done();
    return void reply.status(403).send(buildRpcError(RPC.SERVER, `${foreign} not allowed`));
  });
}

function findForeignHeader({ headers }: FastifyRequest, known: ReadonlySet<string>): string | undefined {
  if (!known.has(parseHostname(`http://${headers.host ?? ''}`))) return 'Host';
  return headers.origin !== undefined && !known.has(parseHostname(headers.origin)) ? 'Origin' : undefined;
}

/**
 * Returns the host in lower case without the port; empty for an invalid URL (such as the origin `null`), which
 * matches nothing.
 */
function parseHostname(url: string): string {
  return URL.parse(url)?.hostname ?? '';
}
