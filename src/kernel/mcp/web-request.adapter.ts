import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';

/** A POST whose body Fastify has parsed. */
export interface ParsedPost {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
  /** Passed to the handler's factory unchanged. */
  readonly authInfo: AuthInfo;
}

/**
 * Responds to a POST with a handler of the SDK. The SDK's own adapter for Node converts body and response to web
 * streams, which costs as much as the rest of the protocol; here the body is parsed already, and most responses are
 * one JSON document.
 */
export async function handlePost(handler: McpHttpHandler, post: ParsedPost): Promise<void> {
  const { request, response, body, authInfo } = post;
  const disconnect = new AbortController();
  response.on('close', () => disconnect.abort());
  const webResponse = await handler.fetch(toWebRequest(request, disconnect.signal), { authInfo, parsedBody: body });
  if (response.destroyed) return;
  for (const [name, value] of webResponse.headers) response.setHeader(name, value);
  response.statusCode = webResponse.status;
  if (webResponse.body && isEventStream(webResponse)) {
    // A client that disconnects in the middle of a stream is not a failure.
    return pipeline(Readable.fromWeb(webResponse.body as never), response).catch(() => undefined);
  }
  response.end(Buffer.from(await webResponse.arrayBuffer()));
}

/** Builds the parts of a web request that a handler reads if it gets a parsed body. */
function toWebRequest({ method = 'POST', url = '/', headers }: IncomingMessage, signal: AbortSignal): Request {
  const known = { method, url, headers: { get: (name: string) => headerOf(headers, name) }, signal };
  return known as unknown as Request;
}

function headerOf(headers: IncomingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : (value ?? null);
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true;
}
