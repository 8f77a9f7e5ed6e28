import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A wire to a server that can be cut, and through which everything can be made to get stuck. */
export interface TcpProxy {
  /** The address of the server, but by way of the wire. */
  readonly url: string;
  /** Breaks every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Accepts connections again. */
  repair(): Promise<void>;
  /** Lets no byte through any more, without a word to either side; what is connected later works. */
  muffle(): void;
  close(): Promise<void>;
}

/** Opens a wire to the server that `target` names. It begins cut if `cut` says so. */
export async function tcpProxy(target: string, { cut = false } = {}): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const pass = (inbound: Socket) => {
    const outbound = connect(Number(port), hostname);
    for (const [socket, other] of [
      [inbound, outbound],
      [outbound, inbound],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
  };
  let server: Server | undefined;
  const listen = async (on: number) => {
    server = createServer(pass).listen(on, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const wire = await listen(0);
  const proxy = {
    url: withPort(target, wire),
    cut: async () => {
      const closed = server && once(server, 'close');
      server?.close();
      for (const socket of sockets) socket.destroy();
      await closed;
      server = undefined;
    },
    repair: async () => void (await listen(wire)),
    muffle: () => {
      for (const socket of sockets) socket.unpipe().pause();
    },
    close: async () => {
      if (server) await proxy.cut();
    },
  };
  if (cut) await proxy.cut();
  return proxy;
}

function withPort(target: string, port: number): string {
  const address = new URL(target);
  address.host = `127.0.0.1:${port}`;
  return address.href;
}
