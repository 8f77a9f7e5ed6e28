import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/errors.js';
import type { Caller, Scope } from './caller.js';
import { clientLabel } from './client-label.js';
import './current-caller.decorator.js';
import { KeyRing } from './key-ring.service.js';
import { KeyUsage } from './key-usage.service.js';
import { presentedKey } from './presented-key.js';
import { PUBLIC } from './public.decorator.js';
import { SCOPES } from './scopes.decorator.js';

/** What a handler asks of its callers. */
interface Entrance {
  readonly isPublic: boolean;
  /** Undefined: as the method of the request implies. */
  readonly scopes: readonly Scope[] | undefined;
}

/**
 * Lets a request in by its API key and tells the handler who calls. Stands before every route that is not
 * `@Public()`, REST and MCP alike; what is wrong with a refused key stays unsaid. A key that is known answers without a
 * promise: on the way of every request that is a third of what the guard costs.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly entrances = new WeakMap<object, Entrance>();

  constructor(
    private readonly keys: KeyRing,
    private readonly usage: KeyUsage,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const entrance = this.entranceOf(context);
    if (entrance.isPublic) return true;
    const request = context.getArgByIndex<FastifyRequest>(0);
    const key = presentedKey(request.raw.rawHeaders);
    const caller = key === undefined ? undefined : this.keys.known(key);
    return caller ? this.admit(caller, request, entrance) : this.lookUp(key, context, request, entrance);
  }

  private entranceOf(context: ExecutionContext): Entrance {
    const handler = context.getHandler();
    const known = this.entrances.get(handler);
    if (known) return known;
    const places = [handler, context.getClass()];
    const entrance = {
      isPublic: this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, places) ?? false,
      scopes: this.reflector.getAllAndOverride<Scope[] | undefined>(SCOPES, places),
    };
    this.entrances.set(handler, entrance);
    return entrance;
  }

  private async lookUp(
    key: string | undefined,
    context: ExecutionContext,
    request: FastifyRequest,
    entrance: Entrance,
  ) {
    const caller = key === undefined ? undefined : await this.keys.resolve(key);
    if (caller) return this.admit(caller, request, entrance);
    context.switchToHttp().getResponse<FastifyReply>().header('WWW-Authenticate', 'Bearer realm="rapport"');
    throw HubError.unauthorized();
  }

  private admit(caller: Caller, request: FastifyRequest, { scopes = scopesOf(request.method) }: Entrance): boolean {
    this.usage.note(caller, clientLabel(request.headers));
    const missing = scopes.find(scope => !caller.scopes.includes(scope));
    if (missing) throw HubError.missingScope(missing);
    request.caller = caller;
    return true;
  }
}

function scopesOf(method: string): readonly Scope[] {
  return method === 'GET' || method === 'HEAD' ? ['read'] : ['write'];
}
