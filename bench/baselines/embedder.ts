import fastify from 'fastify';
import { vectorOf } from '../load/notes-load.ts';
import { serve } from '../env/serve.ts';

const app = fastify({ bodyLimit: 16 * 1024 * 1024 });
app.post<{ Body: { input: string[] } }>('/v1/embeddings', async ({ body: { input } }) => ({
  data: input.map((text, index) => ({ index, embedding: vectorOf(text) })),
}));

/** An embedder that takes next to no time, so that what is measured is the search. */
serve<'open', string>(async () => `${await app.listen({ host: '127.0.0.1', port: 0 })}/v1`);
