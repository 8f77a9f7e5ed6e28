import pg from 'pg';
import { type Instant, parseInstant } from '#domain/time/instant.js';

/** Destroys the socket of a connection: the server rolls back its transaction and waiting statements fail. */
export function destroyConnection(client: pg.PoolClient): void {
  (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
}

const { TIMESTAMPTZ, INT8 } = pg.types.builtins;

/** Options of {@link openPool}. */
export interface PoolOptions {
  readonly url: string;
  /** Maximum number of connections. */
  readonly max: number;
  /** Whether the driver sends a statement while others run. Default true. */
  readonly pipeline?: boolean;
  /** How long a caller waits for a free connection before it fails as unavailable, in milliseconds. */
  readonly acquireTimeoutMs: number;
  readonly onError: (error: Error) => void;
}

/** Parsers of column values: `timestamptz` becomes an Instant (microseconds), `bigint` a number. */
export const typeParsers = new pg.TypeOverrides();
typeParsers.setTypeParser(TIMESTAMPTZ, parseTimestamptz);
typeParsers.setTypeParser(INT8, Number);

/**
 * Opens the connection pool of a process. Statements of a transaction are pipelined: those that are independent of
 * each other share a round trip. Values are parsed by {@link typeParsers}.
 */
export function openPool({ url, max, pipeline = true, acquireTimeoutMs, onError }: PoolOptions): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    types: typeParsers,
    pipeline,
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
 * Parses a timestamp of PostgreSQL, such as `2026-11-20 09:30:00.123456+00`; ISO 8601 requires a T and minutes in the
 * offset. The format of a server in UTC is parsed here: a page of fifty observations has a hundred and fifty
 * timestamps, and {@link parseInstant}, which validates its input, takes four times as long.
 * @throws Error for a text that is not a timestamp.
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
