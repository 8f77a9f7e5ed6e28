import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { readClientLabel } from '#kernel/auth/api-key.guard.js';
import '../auth/auth.decorators.js';
import { FloodGate } from '#kernel/telemetry/flood-gate.js';
import { type Log, withoutRedaction } from '#kernel/telemetry/logger.js';

/** Routes that monitoring requests every few seconds; logged at `info` only if they fail. */
const PROBE_ROUTES = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Writes one log line per request: caller, method, route, status and duration. Never bodies, headers, paths or query
 * values: a path can hold the token of a webhook or the address of a person. Refused requests without a valid key are
 * logged up to a bound for each route and status, so that a flood of them does not fill the log.
 */
export class RequestLogger extends LogController {
  private readonly logger: Log;
  private readonly refusals = new FloodGate();

  constructor(log: Log) {
    super();
    this.logger = withoutRedaction(log);
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override defaultErrorLog(): void {}

  override requestCompleted(_: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const route = toLoggedRoute(request);
    const level = PROBE_ROUTES.has(route) && reply.statusCode < 400 ? 'debug' : 'info';
    if (!this.logger.isLevelEnabled(level)) return;
    const isRefusal = reply.statusCode >= 400 && request.caller === undefined;
    const more = isRefusal ? this.refusals.admit(`${reply.statusCode} ${route}`) : {};
    if (!more) return;
    this.logger[level](
      {
        method: request.method,
        route,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        request_id: request.id,
        actor_kind: request.caller?.actor.kind,
        actor_id: request.caller?.actor.id,
        workspace_id: request.caller?.workspaceId,
        client: readClientLabel(request.headers),
        ...more,
      },
      'request',
    );
  }

  override streamError(error: Error, request: FastifyRequest): void {
    request.log.info({ err: error, request_id: request.id }, 'a response was interrupted');
  }

  override writeHeadError(error: Error, request: FastifyRequest): void {
    request.log.warn({ err: error, request_id: request.id }, 'response headers could not be written');
  }
}

/** Returns the pattern of the route that serves a request, such as `/v2/people/:id`; `(none)` if none does. */
export function toLoggedRoute({ routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? '(none)';
}
