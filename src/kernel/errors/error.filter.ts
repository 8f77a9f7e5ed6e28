import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Log } from '#kernel/telemetry/logger.js';
import { HubError } from './hub-error.js';
import { toErrorResponse, type ErrorFormatter } from './error-response.js';

/** Answers every error of the house, wherever it was thrown, and writes those that are our fault into the log. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly log: Log,
    private readonly formatters: readonly ErrorFormatter[] = [],
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    this.respond(thrown, http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
  }

  /** The same for what Fastify refuses before it has found a route. */
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
    // Fastify hangs up on who sends too much, who then may never read why: rather let the rest come, for as long as a
    // request may take.
    if (response.status === 413 && reply.server.server.listening) reply.removeHeader('connection');
    reply.status(response.status).headers(response.headers).send(response.body);
  }

  private logFailure(err: unknown, status: number, request: FastifyRequest): void {
    const where = { method: request.method, path: pathOf(request.url), request_id: request.id };
    if (err instanceof HubError && err.code === 'provider_unreachable') {
      // Somebody else's trouble: where it was thrown helps nobody.
      const { code: error, detail } = err;
      return this.log.warn({ error, detail, ...where }, 'a provider gave no usable answer');
    }
    if (status === 503) this.log.warn({ err, ...where }, 'a request could not be served');
    else this.log.error({ err, ...where }, 'a request failed');
  }
}

function pathOf(url: string): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}
