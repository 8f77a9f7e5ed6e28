import { createHmac, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { HubQueue } from '#kernel/queue/hub-queue.js';
import { HubWorker } from '#kernel/queue/hub-worker.js';
import { openPostgresQueues } from '#kernel/queue/postgres-queues.js';
import { serve } from '../env/serve.ts';

/** Messages under way at once. */
export const AT_ONCE = 32;

/** What is sent, and by what: nothing but the requests, or a job of BullMQ for each. */
export type WebhookJob =
  | { readonly kind: 'bare'; readonly url: string; readonly seconds: number }
  | { readonly kind: 'bullmq'; readonly url: string; readonly count: number; readonly databaseUrl: string };

const key = randomBytes(32);
const body = JSON.stringify({
  type: 'reply.received',
  data: { observation: { value: { n: 0 } }, entity: {}, pad: 'x'.repeat(700) },
});

/** Messages per second: signed and sent, and nothing written down. */
serve<WebhookJob, number>(async job => {
  const pool = new Pool(job.url, { connections: AT_ONCE });
  try {
    return await (job.kind === 'bare' ? bare(pool, job.seconds) : byBullMq(pool, job.count, job.databaseUrl));
  } finally {
    await pool.close();
  }
});

async function bare(pool: Pool, seconds: number): Promise<number> {
  const startedAt = performance.now();
  let sent = 0;
  const senders = Array.from({ length: AT_ONCE }, async () => {
    for (; performance.now() - startedAt < seconds * 1000; sent++) await signAndPost(pool);
  });
  await Promise.all(senders);
  return sent / ((performance.now() - startedAt) / 1000);
}

/** From the moment that a worker takes the first of the jobs that wait until the last one is done. */
async function byBullMq(pool: Pool, count: number, databaseUrl: string): Promise<number> {
  const server = await openPostgresQueues(databaseUrl, console);
  const queue = new HubQueue('bench', { connection: server, defaultJobOptions: { removeOnComplete: true } });
  await queue.addBulk(Array.from({ length: count }, (_, n) => ({ name: 'send', data: { n } })));
  const { promise: all, resolve } = Promise.withResolvers<number>();
  let [started, done] = [0, 0];
  const run = async () => {
    started ||= performance.now();
    await signAndPost(pool);
    if (++done === count) resolve(performance.now());
  };
  await new HubWorker('bench', run, { connection: server, concurrency: AT_ONCE }).start();
  const ended = await all;
  await server.onApplicationShutdown();
  return count / ((ended - started) / 1000);
}

async function signAndPost(pool: Pool): Promise<void> {
  const signature = createHmac('sha256', key).update(`msg.1.${body}`).digest('base64');
  const headers = { 'content-type': 'application/json', 'webhook-id': 'msg', 'webhook-signature': `v1,${signature}` };
  const answer = await pool.request({ method: 'POST', path: '/limit', headers, body });
  await answer.body.dump();
}
