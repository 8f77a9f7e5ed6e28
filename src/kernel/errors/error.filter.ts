import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { FloodGate } from '#kernel/telemetry/throttled-logger.js';
import type { Log } from '#kernel/telemetry/logger.js';
import { HubError } from './hub-error.js';
import { toErrorResponse, type ErrorFormatter } from './error-response.js';

/** Responds to every error, wherever it was thrown, and logs server errors, repeated ones of a route up to a bound. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  private readonly failures = new FloodGate();

  constructor(
    private readonly log: Log,
    private readonly formatters: readonly ErrorFormatter[] = [],
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.respond(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** Responds to an error that Fastify raises before it has found a route. */
  respond(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
    const path = request.routeOptions.url ?? pathOf(request.url);
    const response = toErrorResponse(
      thrown,
      { path, requestId: request.id, maxBodyBytes: request.routeOptions.bodyLimit },
      this.formatters,
    );
    if (response.error.status >= 500) this.logFailure(thrown, response.error.status, request);
    if (reply.sent) return;
    if (reply.raw.headersSent) return void reply.raw.destroy();
    // Fastify closes the connection after a body that is too large, so the client may never read the response.
    // Keeping it open lets the rest arrive, at most for the request timeout.
    if (response.status === 413 && reply.server.server.listening) reply.removeHeader('connection');
    reply.status(response.status).headers(response.headers).send(response.body);
  }

  private logFailure(err: unknown, status: number, request: FastifyRequest): void {
    const route = request.routeOptions.url ?? '(none)';
    const more = this.failures.admit(`${status} ${request.method} ${route} ${nameOf(err)}`);
    if (!more) return;
    const where = { method: request.method, route, request_id: request.id, ...more };
    if (err instanceof HubError && err.code === 'provider_unreachable') {
      // A provider's failure: our stack trace would not help.
      const { code: error, detail } = err;
      return this.log.warn({ error, detail, ...where }, 'a provider returned no usable response');
    }
    if (status === 503) this.log.warn({ err, ...where }, 'a request could not be served');
    else this.log.error({ err, ...where }, 'a request failed');
  }
}

/** Names a kind of error without its message, which differs each time. */
function nameOf(err: unknown): string {
  if (err instanceof HubError) return err.code;
  return err instanceof Error ? err.name : typeof err;
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
