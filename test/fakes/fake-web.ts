import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it came. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

/** A web server of a test's own, on loopback. */
export interface FakeWeb {
  readonly url: string;
  readonly port: number;
  /** Every request so far. */
  readonly seen: Seen[];
  close(): Promise<void>;
}

/** Starts a server that keeps every request and has `answer` (default: 200 and nothing) answer it. */
export async function startFakeWeb(
  answer: (seen: Seen, response: ServerResponse, request: IncomingMessage) => void = (_, response) => response.end(),
): Promise<FakeWeb> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const each = { method: request.method!, url: request.url!, headers: request.headers, body };
      seen.push(each);
      answer(each, response, request);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    seen,
    close: () => {
      server.closeAllConnections();
      return new Promise(resolve => server.close(() => resolve()));
    },
  };
}
