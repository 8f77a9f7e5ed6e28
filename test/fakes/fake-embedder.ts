import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An OpenAI-compatible endpoint whose vectors are made of the topics that a text names. */
export interface FakeEmbedder {
  readonly url: string;
  /** Texts that were embedded, in their order. */
  readonly seen: string[];
  /** What the requests said besides their texts. */
  readonly asked: { model: string; authorization: string | undefined }[];
  /** Answers 503 while it is true. */
  down: boolean;
  close(): Promise<void>;
}

/** One direction per topic; words of one topic share no letters on purpose. */
const topics = [/\b(?:feline|cat|kitten)\b/i, /\b(?:canine|dog|puppy)\b/i, /\b(?:lunar|moon)\b/i];

/** The vector of a text: its topics, and a little of everything. */
export function vectorOf(text: string): number[] {
  return [...topics.map(topic => (topic.test(text) ? 1 : 0)), 0.1];
}

/** Starts the endpoint on a free port. @param embed what it makes of a text. */
export async function fakeEmbedder(embed: (text: string) => number[] = vectorOf): Promise<FakeEmbedder> {
  const fake: Omit<FakeEmbedder, 'url' | 'close'> = { seen: [], asked: [], down: false };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (fake.down) return void response.writeHead(503).end();
      const { model, input } = JSON.parse(Buffer.concat(parts).toString()) as { model: string; input: string[] };
      fake.seen.push(...input);
      fake.asked.push({ model, authorization: request.headers.authorization });
      const data = input.map((text, index) => ({ index, embedding: embed(text) })).toReversed();
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const close = () => new Promise<void>(resolve => server.close(() => resolve()));
  return Object.assign(fake, { url, close: async () => (server.closeAllConnections(), close()) });
}
