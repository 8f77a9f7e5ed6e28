import { createServer, connect, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that can be cut and repaired, as a network can. */
export interface FlakyConnection {
  /** The same address, through the link. */
  readonly url: string;
  /** Cuts every connection and refuses new ones. */
  cut(): void;
  repair(): void;
  close(): void;
}

/** Puts a link before the server that a URL names. */
export async function flakyConnection(to: string): Promise<FlakyConnection> {
  const target = new URL(to);
  const sockets = new Set<Socket>();
  let whole = true;
  const server = createServer(near => {
    if (!whole) return void near.destroy();
    const far = connect(Number(target.port || 5432), target.hostname);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(one);
          other.destroy();
        });
      one.pipe(other);
    }
  });
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve));
  const url = new URL(to);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  const hangUp = () => sockets.forEach(socket => socket.destroy());
  return {
    url: url.href,
    cut: () => {
      whole = false;
      hangUp();
    },
    repair: () => {
      whole = true;
    },
    close: () => {
      hangUp();
      server.close();
    },
  };
}
