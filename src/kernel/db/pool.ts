import pg from 'pg';
import { type Instant, parseInstant } from '#domain/time/instant.js';

const { TIMESTAMPTZ, INT8 } = pg.types.builtins;

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
export const typeParsers = new pg.TypeOverrides();
typeParsers.setTypeParser(TIMESTAMPTZ, parseTimestamptz);
typeParsers.setTypeParser(INT8, Number);

/**
 * Opens the one connection pool of a process. Statements of one transaction are pipelined: those that do not need
 * each other's rows travel in one round trip. Values arrive as {@link typeParsers} says.
 */
export function openPool({ url, max, acquireTimeoutMs, onError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: typeParsers,
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

const UTC_TIMESTAMP = /^((?:19|2[01])\d\d)-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d(?:\.\d+)?)\+00$/;

/**
 * PostgreSQL writes `2026-11-20 09:30:00.123456+00`; ISO 8601 wants a T and minutes in the offset. What a server in UTC
 * writes is taken apart here: a page of fifty observations has a hundred and fifty of them, and the way of
 * {@link parseInstant}, which trusts nobody, takes four times as long.
 */
export function parseTimestamptz(text: string): Instant {
  const parts = UTC_TIMESTAMP.exec(text);
  if (parts) {
    const [, year, month, day, hour, minute, second] = parts.map(Number);
    return Date.UTC(year!, month! - 1, day, hour, minute) * 1000 + Math.round(second! * 1_000_000);
  }
  const instant = parseInstant(text.replace(' ', 'T').replace(/([+-]\d\d)$/, '$1:00'));
  if (instant === undefined) throw new Error(`not a timestamp: ${text}`);
  return instant;
}
