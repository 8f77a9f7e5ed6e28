import pg from 'pg';
import { parseInstant } from '#domain/time/instant.js';

const TIMESTAMPTZ = 1184;
const INT8 = 20;

/** What a pool is made with. */
export interface PoolOptions {
  readonly url: string;
  /** Most connections at once. */
  readonly max: number;
  /** How long a caller waits for a free connection before it is told to come back. */
  readonly acquireTimeoutMs: number;
  readonly onError: (error: Error) => void;
}

/** How values are read: `timestamptz` arrives as an Instant (microseconds), `bigint` as number. */
export const readAs = new pg.TypeOverrides();
readAs.setTypeParser(TIMESTAMPTZ, instantOf);
readAs.setTypeParser(INT8, Number);

/**
 * Opens the one connection pool of a process. Statements of one transaction are pipelined: those that do not need
 * each other's rows travel in one round trip. Values arrive as {@link readAs} says.
 */
export function openPool({ url, max, acquireTimeoutMs, onError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: readAs,
    pipeline: true,
    connectionTimeoutMillis: acquireTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'rapport',
  } as pg.PoolConfig);
  pool.on('error', onError);
  pool.on('connect', client => client.on('error', onError));
  return pool;
}

/** PostgreSQL writes `2026-11-20 09:30:00.123456+00`; ISO 8601 wants a T and minutes in the offset. */
function instantOf(text: string): number {
  const iso = text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00');
  const instant = parseInstant(iso);
  if (instant === undefined) throw new Error(`not a timestamp: ${text}`);
  return instant;
}
