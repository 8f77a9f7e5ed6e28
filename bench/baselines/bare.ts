import fastify from 'fastify';
import { serve } from '../env/serve.ts';

// The least that a JSON request costs over HTTP here: Fastify as it comes, with an empty handler.
const app = fastify({ bodyLimit: 10 * 1024 * 1024 });
app.post('/empty', async () => ({ ok: true }));

serve<'open', string>(() => app.listen({ host: '127.0.0.1', port: 0 }));
