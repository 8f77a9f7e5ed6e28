import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const DEFAULT_POSTGRES_PORT = 5432;

/** Finds a TCP port of 127.0.0.1 that is free now, never PostgreSQL's default one. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port === DEFAULT_POSTGRES_PORT ? findFreePort() : port;
}
