import { Controller, Get, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/caller.guard.js';
import { MonitoringAccess } from './monitoring-access.js';
import { type Readiness, ReadinessService } from './shutdown.js';

/** Health endpoints for orchestrators and load balancers. */
@Public()
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(
    private readonly probes: ReadinessService,
    private readonly monitoring: MonitoringAccess,
  ) {}

  /** Returns 200 while the process is alive; checks no dependency. */
  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /**
   * Returns 200 if this process can work, else 503. The state of each dependency is for callers that may monitor the
   * hub; others get status and version only.
   */
  @Get('readyz')
  async ready(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readiness | Pick<Readiness, 'status' | 'version'>> {
    const readiness = await this.probes.check();
    reply.status(readiness.status === 'ready' ? 200 : 503);
    const { status, version } = readiness;
    return this.monitoring.isAllowed(request) ? readiness : { status, version };
  }
}
