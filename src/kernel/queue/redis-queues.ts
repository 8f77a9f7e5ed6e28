import { once } from 'node:events';
import { type BackendFactory, createRedisBackend, type IQueueBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { QueueServer } from './queue-server.js';
import { ThrottledLogger, type WarnLogger } from '../telemetry/throttled-logger.js';
import { PeriodicTimer } from '../scheduling/periodic-timer.js';
import { settlesWithin, withTimeout } from '../scheduling/timeout.js';

const BASE_OPTIONS: RedisOptions = {
  connectTimeout: 3_000,
  keepAlive: 10_000,
  retryStrategy: attempt => Math.min(100 * 2 ** attempt, 2_000),
};

/** Adding must fail quickly, because the caller holds a transaction open. */
const QUEUE_OPTIONS: RedisOptions = { maxRetriesPerRequest: 1, enableOfflineQueue: false, commandTimeout: 2_000 };

/** Workers may wait for the server without limit. */
const WORKER_OPTIONS: RedisOptions = { maxRetriesPerRequest: null };

const HEARTBEAT_INTERVAL_MS = 5_000;
const FIRST_CONNECT_TIMEOUT_MS = 1_000;

/**
 * Opens the server of queues in Redis. Uses one connection for all queues; with workers, one more shared by all of them
 * and one for each. Waits at most a second for Redis, so a hub starts and serves while Redis is unavailable.
 */
export async function openRedisQueues(url: string, log: WarnLogger): Promise<QueueServer> {
  const connections = new RedisConnections(url, new ThrottledLogger(log, 'Redis'));
  const producer = connections.open(QUEUE_OPTIONS);
  let consumer: Redis | undefined;
  await settlesWithin(FIRST_CONNECT_TIMEOUT_MS, once(producer, 'ready'));
  return new QueueServer(
    {
      kind: 'redis',
      backendFactory: createRedisBackend as BackendFactory<IQueueBackend, unknown>,
      queueConnection: producer,
      createWorkerConnection: () => (consumer ??= connections.open(WORKER_OPTIONS)),
      waitForReady: false,
      ping: async () => void (await producer.ping()),
      close: async () => connections.close(),
    },
    log,
  );
}

/** Tracks all connections, including those that BullMQ creates by duplicating one. */
class RedisConnections {
  private readonly opened: Redis[] = [];
  private readonly heartbeats: PeriodicTimer[] = [];

  constructor(
    private readonly url: string,
    private readonly errorLogger: ThrottledLogger,
  ) {}

  open(options: RedisOptions): Redis {
    const client = this.register(new Redis(this.url, { ...BASE_OPTIONS, ...options }));
    const duplicate = client.duplicate.bind(client);
    client.duplicate = override => this.register(duplicate(override));
    const heartbeat = { intervalMs: HEARTBEAT_INTERVAL_MS, run: () => reconnectIfDead(client) };
    this.heartbeats.push(new PeriodicTimer(heartbeat).start());
    return client;
  }

  close(): void {
    for (const heartbeat of this.heartbeats) void heartbeat.stop();
    for (const client of this.opened) if (client.status !== 'end') client.disconnect();
  }

  private register(client: Redis): Redis {
    client.on('error', error => this.errorLogger.warn(error));
    client.on('ready', () => this.errorLogger.reset());
    this.opened.push(ensureEndEvent(client));
    return client;
  }
}

/**
 * Reconnects a connection that does not respond: one that was lost silently would look open for a quarter of an hour.
 */
async function reconnectIfDead(client: Redis): Promise<void> {
  if (client.status !== 'ready') return;
  await withTimeout(HEARTBEAT_INTERVAL_MS / 2, client.ping(), 'a heartbeat').catch(() => client.disconnect(true));
}

/**
 * Ensures that a disconnected client emits `end`, which BullMQ waits for. A client that is disconnected between two
 * connection attempts does not emit it, so it connects once more and ends then.
 */
function ensureEndEvent(client: Redis): Redis {
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
