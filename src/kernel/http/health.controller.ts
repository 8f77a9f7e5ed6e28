import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#kernel/auth/public.decorator.js';
import { type Readiness, ReadinessService } from './readiness.service.js';

/** Health endpoints for orchestrators and load balancers. */
@Public()
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly probes: ReadinessService) {}

  /** Returns 200 while the process is alive; checks no dependency. */
  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** Returns 200 if this process can work, else 503; the body lists the state of each dependency without details. */
  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.probes.check();
    reply.status(readiness.status === 'ready' ? 200 : 503);
    return readiness;
  }
}
