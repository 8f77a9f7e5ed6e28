import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { AuthInfo, McpHttpHandler } from '@modelcontextprotocol/server';

/** A POST as Fastify has read it. */
export interface ParsedPost {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: unknown;
  /** Reaches the handler's factory as it is. */
  readonly authInfo: AuthInfo;
}

/**
 * Answers a POST by a handler of the SDK. The SDK's own adapter for Node makes the body and the answer web streams
 * first, which costs as much as all the rest of the protocol; here the body is parsed already, and most answers are one
 * JSON document.
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
    // Whoever leaves in the middle of a stream is no failure.
    return pipeline(Readable.fromWeb(webResponse.body as never), response).catch(() => undefined);
  }
  response.end(Buffer.from(await webResponse.arrayBuffer()));
}

/** What a handler reads of a request whose parsed body it is given. */
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
