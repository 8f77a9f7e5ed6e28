import { connect } from 'node:net';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/** Sends a request with exactly these header lines, repeated ones too, which HTTP clients would put in order. */
export function rawRequest(url: string, target: string, headers: readonly string[], body = ''): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url);
  const lines = [`${target} HTTP/1.1`, `Host: ${host}`, 'Connection: close', ...headers];
  if (body) lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`));
    let text = '';
    socket
      .setEncoding('utf8')
      .on('data', chunk => (text += chunk))
      .on('error', reject);
    socket.on('end', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') });
    });
  });
}
