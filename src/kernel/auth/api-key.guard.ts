import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/errors.js';
import type { Caller, Scope } from './caller.js';
import { clientLabel } from './client-label.js';
import './current-caller.decorator.js';
import { KeyRing } from './key-ring.service.js';
import { KeyUsage } from './key-usage.service.js';
import { presentedKey } from './presented-key.js';
import { PUBLIC } from './public.decorator.js';
import { SCOPES } from './scopes.decorator.js';

/**
 * Lets a request in by its API key and tells the handler who calls. Stands before every route that is not
 * `@Public()`, REST and MCP alike; what is wrong with a refused key stays unsaid.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(
    private readonly keys: KeyRing,
    private readonly usage: KeyUsage,
    private readonly reflector: Reflector,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const places = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places)) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const caller = await this.callerOf(request);
    const needed = this.reflector.getAllAndOverride<Scope[] | undefined>(SCOPES, places) ?? scopesOf(request.method);
    const missing = needed.find(scope => !caller.scopes.includes(scope));
    if (missing) throw HubError.missingScope(missing);
    request.caller = caller;
    return true;
  }

  private async callerOf(request: FastifyRequest): Promise<Caller> {
    const key = presentedKey(request.raw.rawHeaders);
    const caller = key === undefined ? undefined : await this.keys.resolve(key);
    if (!caller) throw HubError.unauthorized();
    this.usage.note(caller, clientLabel(request.headers));
    return caller;
  }
}

function scopesOf(method: string): readonly Scope[] {
  return method === 'GET' || method === 'HEAD' ? ['read'] : ['write'];
}
