import './auth.decorators.js';
import type { IncomingHttpHeaders } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HubError } from '#kernel/errors/hub-error.js';
import type { Caller, Scope } from './caller.js';
import { ApiKeyCache } from './api-key.lookup.js';
import { KeyUsageService } from './key-usage.service.js';
import { extractKey } from './early-auth.hook.js';
import { PUBLIC, SCOPES } from './auth.decorators.js';

const CLIENT_HEADER = /^x-[a-z0-9]+-client$/;
const PRINTABLE = /^[\x20-\x7e]{1,60}$/;

/**
 * Returns the label of the calling program from `x-rapport-client`, or from any `x-<word>-client` header. Defaults to
 * `api` if there is none or if it is not printable ASCII of at most 60 characters.
 */
export function readClientLabel(headers: IncomingHttpHeaders): string {
  const label = headers['x-rapport-client'] ?? headers[Object.keys(headers).find(isClientHeader) ?? ''];
  return typeof label === 'string' && PRINTABLE.test(label) ? label : 'api';
}

function isClientHeader(name: string): boolean {
  return CLIENT_HEADER.test(name);
}

/** Access rules of a handler. */
interface RouteAccess {
  readonly isPublic: boolean;
  /** Undefined: derived from the request method. */
  readonly scopes: readonly Scope[] | undefined;
}

/**
 * Authenticates a request by its API key and sets `request.caller`. Runs before every route that is not `@Public()`,
 * REST and MCP alike. The response does not say why a key was rejected. A cached key is authorized synchronously: a
 * promise would add a third to the cost of the guard.
 */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  private readonly accessByHandler = new WeakMap<object, RouteAccess>();

  constructor(
    private readonly keys: ApiKeyCache,
    private readonly usage: KeyUsageService,
    private readonly reflector: Reflector,
  ) {}

  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const access = this.accessOf(context);
    if (access.isPublic) return true;
    const request = context.getArgByIndex<FastifyRequest>(0);
    const key = extractKey(request.raw.rawHeaders);
    const caller = key === undefined ? undefined : this.keys.getCached(key);
    return caller ? this.authorize(caller, request, access) : this.authenticate(key, context, request, access);
  }

  private accessOf(context: ExecutionContext): RouteAccess {
    const handler = context.getHandler();
    const known = this.accessByHandler.get(handler);
    if (known) return known;
    const targets = [handler, context.getClass()];
    const access = {
      isPublic: this.reflector.getAllAndOverride<boolean | undefined>(PUBLIC, targets) ?? false,
      scopes: this.reflector.getAllAndOverride<Scope[] | undefined>(SCOPES, targets),
    };
    this.accessByHandler.set(handler, access);
    return access;
  }

  private async authenticate(
    key: string | undefined,
    context: ExecutionContext,
    request: FastifyRequest,
    access: RouteAccess,
  ) {
    const caller = key === undefined ? undefined : await this.keys.resolve(key);
    if (caller) return this.authorize(caller, request, access);
    context.switchToHttp().getResponse<FastifyReply>().header('WWW-Authenticate', 'Bearer realm="rapport"');
    throw HubError.unauthorized();
  }

  private authorize(
    caller: Caller,
    request: FastifyRequest,
    { scopes = defaultScopes(request.method) }: RouteAccess,
  ): boolean {
    this.usage.record(caller, readClientLabel(request.headers));
    const missing = scopes.find(scope => !caller.scopes.includes(scope));
    if (missing) throw HubError.missingScope(missing);
    request.caller = caller;
    return true;
  }
}

function defaultScopes(method: string): readonly Scope[] {
  return method === 'GET' || method === 'HEAD' ? ['read'] : ['write'];
}
