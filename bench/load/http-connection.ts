import { connect, type Socket } from 'node:net';

/** An answer. Its body is read when it is asked for: what the server took ends with the last byte. */
export interface HttpAnswer {
  readonly status: number;
  body(): string;
}

const END_OF_HEAD = '\r\n\r\n';

/**
 * One keep-alive connection, one request at a time. Reads no more of HTTP than the servers here speak (every answer
 * has a Content-Length), because client, server and database share the same few cores.
 */
export class HttpConnection {
  private settle: PromiseWithResolvers<HttpAnswer> | undefined;
  private chunks: Buffer[] = [];
  private have = 0;
  private need = Infinity;
  private head = 0;
  private status = 0;

  private readonly socket: Socket;

  private constructor(socket: Socket) {
    this.socket = socket;
    socket.setNoDelay(true);
    socket.on('data', chunk => this.take(chunk));
    socket.on('error', error => this.fail(error));
    socket.on('close', () => this.fail(new Error('the server has closed the connection')));
  }

  /** Connects to the host and port of a URL. */
  static open(url: string): Promise<HttpConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new HttpConnection(socket)));
      socket.once('error', reject);
    });
  }

  /** Sends a whole request, head and body. Rejects when the connection breaks. */
  send(request: string): Promise<HttpAnswer> {
    this.settle = Promise.withResolvers<HttpAnswer>();
    this.socket.write(request);
    return this.settle.promise;
  }

  /** Hangs up. */
  close(): void {
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.chunks.push(chunk);
    this.have += chunk.length;
    if (this.need === Infinity) this.readHead();
    if (this.have < this.need) return;
    const { chunks, head, need, status } = this;
    this.chunks = [];
    this.have = 0;
    this.need = Infinity;
    this.settle?.resolve({ status, body: () => Buffer.concat(chunks).toString('utf8', head, need) });
  }

  private readHead(): void {
    const text = Buffer.concat(this.chunks).toString('latin1');
    const end = text.indexOf(END_OF_HEAD);
    if (end === -1) return;
    this.status = Number(text.slice(9, 12));
    this.head = end + END_OF_HEAD.length;
    this.need = this.head + Number(/\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end + 2))?.[1] ?? 0);
  }

  private fail(error: Error): void {
    this.settle?.reject(error);
  }
}
