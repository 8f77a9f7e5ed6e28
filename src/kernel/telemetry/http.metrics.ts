import type { FastifyInstance, FastifyReply } from 'fastify';
import { Histogram, type Registry } from 'prom-client';

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
