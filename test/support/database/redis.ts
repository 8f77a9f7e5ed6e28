import { Redis } from 'ioredis';

/** A numbered database of the Redis server that nobody else uses meanwhile. */
export interface FreshRedis {
  readonly url: string;
  /** Every key of ours. */
  keys(): Promise<string[]>;
  /** Removes every key of ours, as a crash without persistence would. */
  wipe(): Promise<void>;
  drop(): Promise<void>;
}

const DATABASES = 15;
const LEASE_SECONDS = 600;

/** Leases one of the databases 1 to 15 of REDIS_URL; undefined in the lane without Redis. */
export async function freshRedis(): Promise<FreshRedis | undefined> {
  const server = process.env['REDIS_URL'];
  if (!server) return undefined;
  const directory = new Redis(server);
  const lease = await leaseOne(directory);
  const url = new URL(server);
  url.pathname = `/${lease.number}`;
  const client = new Redis(url.href);
  const ours = () => client.keys('{rapport}*');
  const wipe = async () => {
    const keys = await ours();
    if (keys.length > 0) await client.unlink(keys);
  };
  await wipe();
  return {
    url: url.href,
    keys: ours,
    wipe,
    drop: async () => {
      await wipe();
      await directory.del(lease.key);
      client.disconnect();
      directory.disconnect();
    },
  };
}

async function leaseOne(directory: Redis): Promise<{ number: number; key: string }> {
  for (let number = 1; number <= DATABASES; number++) {
    const key = `rapport-tests:database:${number}`;
    if (await directory.set(key, process.pid, 'EX', LEASE_SECONDS, 'NX')) return { number, key };
  }
  throw new Error('All numbered databases of REDIS_URL are leased to other runs of the tests.');
}
