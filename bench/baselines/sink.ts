import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '../env/serve.ts';

/** A message that came to `/in`. */
export interface Arrival {
  readonly id: string;
  /** Whom it is about, and which of theirs it is. */
  readonly person: string;
  readonly n: number;
}

/** What came since it was forgotten. */
export interface Arrived {
  readonly url: string;
  readonly messages: readonly Arrival[];
  /** From the first to the last of them. */
  readonly seconds: number;
  /** Requests that came to `/dead`. */
  readonly refused: number;
}

/** What the sink is asked for: to tell what came, or to forget it. */
export type SinkJob = 'tell' | 'forget';

let messages: Arrival[] = [];
let [firstAt, lastAt, refused] = [0, 0, 0];

// Takes everything at /in and notes it, answers 500 at /dead, and takes what is sent anywhere else unread.
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const isDead = request.url === '/dead';
    if (isDead) refused++;
    if (request.url === '/in') note(String(request.headers['webhook-id']), Buffer.concat(chunks).toString());
    response.writeHead(isDead ? 500 : 204).end();
  });
});
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));

function note(id: string, body: string): void {
  const { data } = JSON.parse(body) as { data: { observation: { value: { n: number } }; entity: { id: string } } };
  lastAt = performance.now();
  if (messages.length === 0) firstAt = lastAt;
  messages.push({ id, person: data.entity.id, n: data.observation.value.n });
}

serve<SinkJob, Arrived>(async job => {
  if (job === 'forget') [messages, refused] = [[], 0];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, messages, seconds: (lastAt - firstAt) / 1000, refused };
});
