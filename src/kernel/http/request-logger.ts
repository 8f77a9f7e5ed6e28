import { type FastifyReply, type FastifyRequest, LogController } from 'fastify';
import { readClientLabel } from '#kernel/auth/client-label.js';
import '#kernel/auth/current-caller.decorator.js';
import { type Log, withoutRedaction } from '#kernel/telemetry/logger.js';

/** Paths that monitoring requests every few seconds; logged at `info` only if they fail. */
const PROBE_PATHS = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Writes one log line per request: caller, method, path, status and duration. Never bodies, headers or query values.
 */
export class RequestLogger extends LogController {
  private readonly logger: Log;

  constructor(log: Log) {
    super();
    this.logger = withoutRedaction(log);
  }

  override incomingRequest(): void {}

  override routeNotFound(): void {}

  override defaultErrorLog(): void {}

  override requestCompleted(_: Error | null | undefined, request: FastifyRequest, reply: FastifyReply): void {
    const path = stripQuery(request.url);
    const level = PROBE_PATHS.has(path) && reply.statusCode < 400 ? 'debug' : 'info';
    if (!this.logger.isLevelEnabled(level)) return;
    this.logger[level](
      {
        method: request.method,
        path,
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        request_id: request.id,
        actor_kind: request.caller?.actor.kind,
        actor_id: request.caller?.actor.id,
        workspace_id: request.caller?.workspaceId,
        client: readClientLabel(request.headers),
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

function stripQuery(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
