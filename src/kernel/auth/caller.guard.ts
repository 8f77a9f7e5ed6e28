import { SetMetadata, createParamDecorator, type ExecutionContext, type CanActivate, Injectable } from '@nestjs/common';
import type { FastifyRequest, FastifyInstance, FastifyReply } from 'fastify';
import type { Scope, Caller } from './caller.js';
import { readSessionRequest, isFromOwnPages, type SessionAuthenticator } from './session-authenticator.js';
import { assignWorkspace } from '#kernel/request-context.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { readClientAddress, toNetwork } from '#kernel/limits/client-address.js';
import type { PublicRateLimiter } from '#kernel/limits/public-rate-limiter.js';
import { ApiKeyCache, KeyUsageService } from './api-key.lookup.js';
import type { IncomingHttpHeaders } from 'node:http';
import { Reflector } from '@nestjs/core';

/** Metadata key of {@link Public}. */
export const PUBLIC = 'rapport:public';

/** Makes a handler, or every handler of a class, available without an API key. */
export const Public = () => SetMetadata(PUBLIC, true);

/** Metadata key of {@link Scopes}. */
export const SCOPES = 'rapport:scopes';

/**
 * Sets the scopes that a handler, or every handler of a class, requires; a key must have all of them. Without this
 * decorator GET and HEAD require `read`, all other methods `write`. `@Scopes()` accepts any valid key.
 */
export function Scopes(...needed: Scope[]): MethodDecorator & ClassDecorator {
  return SetMetadata(SCOPES, needed);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; set by the guard on every route that is not public. */
    caller?: Caller;
  }
  interface FastifyInstance {
    /** How requests are authenticated; set by {@link rejectUnauthenticatedEarly}. */
    authentication: EarlyAuthentication;
  }
}

/** Injects the {@link Caller} of the request into a handler parameter. */
export const CurrentCaller = createParamDecorator((_: unknown, context: ExecutionContext): Caller => {
  const { caller } = context.switchToHttp().getRequest<FastifyRequest>();
  if (!caller) throw new Error('a public route has no caller');
  return caller;
});

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Returns the API key of a request from `Authorization: Bearer` or `X-API-Key`. Undefined if there is none, if one of
 * these headers is repeated, or if both are present with different keys.
 * @param rawHeaders names and values in turn, as received; Node's own map silently drops a repeated Authorization.
 */
export function extractKey(rawHeaders: readonly string[]): string | undefined {
  const authorization = getHeaderValues('authorization', rawHeaders);
  const apiKey = getHeaderValues('x-api-key', rawHeaders);
  if (authorization.length > 1 || apiKey.length > 1) return undefined;
  const bearer = BEARER.exec(authorization[0] ?? '')?.[1];
  const plain = apiKey[0] || undefined;
  return bearer && plain && bearer !== plain ? undefined : (bearer ?? plain);
}

function getHeaderValues(name: string, rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, i) => i % 2 === 1 && rawHeaders[i - 1]!.toLowerCase() === name);
}

/** Paths without public routes. */
const PROTECTED_PATHS = /^\/(?:v2|mcp)(?:[/?]|$)/;

/** Returns whether every route of this path needs an API key. */
export function isProtectedPath(url: string): boolean {
  return PROTECTED_PATHS.test(url);
}

/** What {@link rejectUnauthenticatedEarly} works with. */
export interface EarlyAuthentication {
  readonly keys: ApiKeyCache;
  readonly sessions: SessionAuthenticator;
  readonly limiter: PublicRateLimiter;
  /** Address of the hub as browsers see it. */
  readonly publicUrl: string;
}

/**
 * Authenticates requests before their body is read and responds with 401 if the key is missing or invalid. A cached
 * key passes synchronously. A valid key always passes; the 401 of a network that sends many is delayed. Requests under
 * `/v2` without a key may show the session of a person instead. Scopes are checked by the guard, which knows the handler.
 */
export function rejectUnauthenticatedEarly(fastify: FastifyInstance, authentication: EarlyAuthentication): void {
  const { keys, sessions, limiter, publicUrl } = authentication;
  fastify.decorate('authentication', authentication);
  fastify.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS' || !isProtectedPath(request.url)) return done();
    const admit = (caller: Caller | undefined): void => {
      if (!caller) {
        const reject = (error?: Error): void => {
          reply.header('WWW-Authenticate', 'Bearer realm="rapport"');
          done(error ?? HubError.unauthorized());
        };
        return void limiter.delayUnauthorized(toNetwork(readClientAddress(request))).then(() => reject(), reject);
      }
      request.caller = caller;
      assignWorkspace(caller.workspaceId, caller.actor);
      return done();
    };
    const session = readSessionRequest(request.url, request.headers);
    if (session) {
      if (!isFromOwnPages(request.method, request.headers, publicUrl)) return done(new HubError('foreign_origin'));
      const person = sessions.getCached(session);
      if (person) return admit(person);
      return void sessions.resolve(session).then(admit, done);
    }
    const key = extractKey(request.raw.rawHeaders);
    const known = key === undefined ? undefined : keys.getCached(key);
    if (key === undefined || known) return admit(known);
    keys.resolve(key).then(admit, done);
  });
}

/**
 * Returns whether the key or session of a request still admits its caller, for responses that go on for long. Lookups are
 * cached as those of requests are, so this can be called often. Returns false if it cannot be found out.
 */
export async function isStillAdmitted({ server, url, headers, raw, caller }: FastifyRequest): Promise<boolean> {
  const { keys, sessions } = server.authentication;
  const session = readSessionRequest(url, headers);
  const key = extractKey(raw.rawHeaders);
  try {
    const current = session ? await sessions.resolve(session) : key !== undefined && (await keys.resolve(key));
    return current !== false && current !== undefined && current.workspaceId === caller?.workspaceId;
  } catch {
    return false;
  }
}

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
 * Authorizes the caller of a request: the holder of an API key, or a person whose session was authenticated before. Sets
 * `request.caller`. Runs before every route that is not `@Public()`, REST and MCP alike. The response does not say why a key
 * was rejected. A cached key is authorized synchronously: a promise would add a third to the cost of the guard.
 */
@Injectable()
export class CallerGuard implements CanActivate {
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
    const caller = key === undefined ? request.caller : this.keys.getCached(key);
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
