import { once } from 'node:events';
import { createRedisBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { BullQueues } from './bull.queues.js';
import type { QueueBackend } from './queue.backend.js';
import { SparingLog, type TroubleLog } from './sparing.log.js';
import { endsWithin, within } from './within.js';

const always: RedisOptions = {
  connectTimeout: 3_000,
  keepAlive: 10_000,
  retryStrategy: attempt => Math.min(100 * 2 ** attempt, 2_000),
};

/** Adding must fail quickly, because somebody waits with a transaction open. */
const forQueues: RedisOptions = { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 2_000 };

/** Working may wait as long as it takes. */
const forWorkers: RedisOptions = { maxRetriesPerRequest: null };

const HEARTBEAT_MS = 5_000;
const FIRST_CONTACT_MS = 1_000;

/**
 * Queues in Redis. Connections: one for all queues; with workers one more for all of them and one for each.
 * Opening a queue gives Redis a second to answer and then goes on, so a hub starts and serves while Redis is away.
 */
export function openRedisQueues(url: string, log: TroubleLog): QueueBackend {
  const connections = new RedisConnections(url, new SparingLog(log, 'Redis'));
  const producer = connections.open(forQueues);
  let consumer: Redis | undefined;
  const queues = new BullQueues(
    {
      factory: createRedisBackend,
      forQueues: producer,
      forWorkers: () => (consumer ??= connections.open(forWorkers)),
      awaited: false,
    },
    log,
  );
  return {
    kind: 'redis',
    openQueue: async (name, jobs) => {
      if (producer.status !== 'ready') await endsWithin(FIRST_CONTACT_MS, once(producer, 'ready'));
      return queues.openQueue(name, jobs);
    },
    openWorker: (name, handler, concurrency) => queues.openWorker(name, handler, concurrency),
    ping: async () => void (await producer.ping()),
    close: async () => {
      await queues.close();
      connections.close();
    },
  };
}

/** Keeps track of every connection, also of those that BullMQ makes after the model of one it was given. */
class RedisConnections {
  private readonly opened: Redis[] = [];
  private readonly heartbeats: NodeJS.Timeout[] = [];

  constructor(
    private readonly url: string,
    private readonly trouble: SparingLog,
  ) {}

  open(options: RedisOptions): Redis {
    const client = this.keep(new Redis(this.url, { ...always, ...options }));
    const duplicate = client.duplicate.bind(client);
    client.duplicate = override => this.keep(duplicate(override));
    this.heartbeats.push(setInterval(() => void renewIfDead(client), HEARTBEAT_MS));
    return client;
  }

  close(): void {
    for (const heartbeat of this.heartbeats) clearInterval(heartbeat);
    for (const client of this.opened) if (client.status !== 'end') client.disconnect();
  }

  private keep(client: Redis): Redis {
    client.on('error', error => this.trouble.warn(error));
    client.on('ready', () => this.trouble.reset());
    this.opened.push(endsAlways(client));
    return client;
  }
}

/** A connection that was lost without a word looks open for a quarter of an hour; one that does not answer goes. */
async function renewIfDead(client: Redis): Promise<void> {
  if (client.status !== 'ready') return;
  await within(HEARTBEAT_MS / 2, client.ping(), 'a heartbeat').catch(() => client.disconnect(true));
}

/**
 * A client that is told to disconnect between two tries to connect never says that it has ended, while BullMQ waits
 * for just that. So it tries once more, and ends by that.
 */
function endsAlways(client: Redis): Redis {
  const disconnect = client.disconnect.bind(client);
  client.disconnect = (reconnect = false) => {
    const between = client.status === 'reconnecting' && !reconnect;
    disconnect(reconnect);
    if (!between) return;
    client.once('connect', () => disconnect());
    client.connect().catch(() => undefined);
  };
  return client;
}
