import type { FastifyInstance, FastifyReply } from 'fastify';
import { Histogram, type Registry, Gauge } from 'prom-client';
import type { Database } from '#kernel/db/database.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';

const DURATION_BUCKETS_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Records the duration of a response. */
type RecordResponse = (method: string, reply: FastifyReply) => void;

/**
 * Measures the duration of every request by method, route pattern and status. Not by path: paths contain identifiers,
 * and each would create a new time series. Call it before routes are declared.
 */
export function measureRequests(fastify: FastifyInstance, registry: Registry): void {
  const seconds = new Histogram({
    name: 'rapport_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: DURATION_BUCKETS_SECONDS,
    registers: [registry],
  });
  const unrouted = createRecorder('none', seconds);
  fastify.addHook('onResponse', (request, reply, done) => {
    if (request.is404) unrouted(request.method, reply);
    done();
  });
  fastify.addHook('onRoute', route => {
    const measure = createRecorder(route.url, seconds);
    route.onResponse = [route.onResponse ?? []].flat().concat((request, reply, done) => {
      measure(request.method, reply);
      done();
    });
  });
}

/** Caches the series of a route: looking them up by labels in prom-client for each request costs twice as much. */
function createRecorder(route: string, seconds: Histogram): RecordResponse {
  const series = new Map<string, Histogram.Internal<string>>();
  return (method, { statusCode, elapsedTime }) => {
    const name = `${method} ${statusCode}`;
    let known = series.get(name);
    if (!known) series.set(name, (known = seconds.labels(method, route, String(statusCode))));
    known.observe(elapsedTime / 1000);
  };
}

/** Registers gauges of the open, idle and awaited PostgreSQL connections. */
export function measurePool(
  { pool, work }: Pick<Database, 'pool'> & { readonly work: Pick<UnitOfWork, 'waitingForTurn'> },
  registry: Registry,
): void {
  new Gauge({
    name: 'rapport_db_pool_connections',
    help: 'Connections of this process to PostgreSQL, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'busy' }, pool.totalCount - pool.idleCount);
    },
  });
  new Gauge({
    name: 'rapport_db_pool_waiting',
    help: 'Callers that wait for a connection to PostgreSQL.',
    registers: [registry],
    collect() {
      this.set(pool.waitingCount);
    },
  });
  new Gauge({
    name: 'rapport_db_turn_waiting',
    help: 'Transactions that wait for the turn of their workspace.',
    registers: [registry],
    collect() {
      this.set(work.waitingForTurn);
    },
  });
}
