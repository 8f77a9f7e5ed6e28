import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '#kernel/auth/public.decorator.js';
import { type Readiness, ReadinessService } from './readiness.service.js';

/** For machines that start, stop and route to this process. */
@Public()
@ApiExcludeController()
@Controller()
export class HealthController {
  constructor(private readonly probes: ReadinessService) {}

  /** The process lives; asks nothing of anybody. */
  @Get('healthz')
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** 200 if this process can do its work, else 503; the body says which dependency is down, and nothing more of it. */
  @Get('readyz')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Readiness> {
    const readiness = await this.probes.check();
    reply.status(readiness.status === 'ready' ? 200 : 503);
    return readiness;
  }
}
