import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Registry } from 'prom-client';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { renderMetrics } from '#kernel/telemetry/metrics.controller.js';
import { METRICS } from '#kernel/telemetry/metrics.module.js';
import { ReadinessService } from './shutdown.js';

const REQUEST_TIMEOUT_MS = 5_000;

/**
 * Serves `/metrics`, and `/readyz` with its details, on METRICS_PORT, so that a firewall can keep them from users of the
 * hub. Does nothing without METRICS_PORT. The path alone decides: the port asks for no token.
 */
@Injectable()
export class MonitoringServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger(MonitoringServer.name);
  private server: Server | undefined;

  constructor(
    @Inject(ENV) private readonly env: Env,
    @Inject(METRICS) private readonly registry: Registry,
    private readonly readiness: ReadinessService,
  ) {}

  /** @throws Error if the port is taken. */
  async onApplicationBootstrap(): Promise<void> {
    if (this.env.metricsPort === undefined) return;
    const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
      this.respond(request, response).catch((error: unknown) => {
        this.log.error({ msg: 'metrics could not be served', err: error });
        response.writeHead(500).end();
      });
    });
    server.listen(this.env.metricsPort, this.env.host);
    await once(server, 'listening');
    this.server = server;
  }

  /** Closes the port and its connections. */
  async onApplicationShutdown(): Promise<void> {
    if (!this.server) return;
    const closed = once(this.server, 'close');
    this.server.close();
    this.server.closeAllConnections();
    await closed;
  }

  private async respond({ method, url }: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = url?.split('?')[0];
    if (method !== 'GET') return void response.writeHead(405, { allow: 'GET' }).end();
    if (path === '/metrics') {
      const text = await renderMetrics(this.registry);
      return void response.writeHead(200, { 'content-type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text);
    }
    if (path !== '/readyz') return void response.writeHead(404).end();
    const readiness = await this.readiness.check();
    const status = readiness.status === 'ready' ? 200 : 503;
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(readiness));
  }
}
