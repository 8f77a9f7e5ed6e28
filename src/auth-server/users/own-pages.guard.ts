import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { isFromOwnPages } from '#kernel/auth/session-authenticator.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** Refuses requests that change something unless the pages of this hub send them: 403 `foreign_origin`. */
@Injectable()
export class OwnPagesGuard implements CanActivate {
  constructor(@Inject(ENV) private readonly env: Pick<Env, 'publicUrl'>) {}

  canActivate(context: ExecutionContext): boolean {
    const { method, headers } = context.switchToHttp().getRequest<FastifyRequest>();
    if (!isFromOwnPages(method, headers, this.env.publicUrl)) throw new HubError('foreign_origin');
    return true;
  }
}
