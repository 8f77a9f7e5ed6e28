import { Inject, Injectable } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { publicCorsHeaders } from '#kernel/http/security-headers.js';
import { readClientAddress } from '#kernel/limits/client-address.js';
import { ClientsService } from '../clients/clients.service.js';
import { AuthorizationService } from '../grants/authorization.service.js';
import { DeviceService } from '../grants/device.service.js';
import { type OAuthUrls, buildOAuthUrls, OAUTH_PATHS } from './oauth.urls.js';
import { RevocationService, TokenService } from './token.service.js';
import { registerAuthorizeRoute } from './authorize.route.js';
import { type FormFields, parseForm } from './form.js';
import { buildResourceMetadata, buildServerMetadata } from './metadata.js';
import { isServerFault, toOAuthErrorResponse } from './oauth.errors.js';

/** Groups the services behind the OAuth routes. */
@Injectable()
export class OAuthHandlers {
  readonly urls: OAuthUrls;

  constructor(
    @Inject(ENV) { publicUrl }: Env,
    readonly authorization: AuthorizationService,
    readonly clients: ClientsService,
    readonly device: DeviceService,
    readonly token: TokenService,
    readonly revocation: RevocationService,
  ) {
    this.urls = buildOAuthUrls(publicUrl);
  }
}

/** Maximum size of a form or a registration: 64 KiB. */
const MAX_BODY_BYTES = 64 * 1024;
const FORM_MEDIA_TYPE = 'application/x-www-form-urlencoded';
/** Metadata changes only with a new version of the hub. */
const METADATA_CACHE_CONTROL = 'public, max-age=3600';

/**
 * Registers the OAuth routes. They accept forms, which no other route does, and need no API key. The endpoints for
 * programs allow all origins, because they use no cookies.
 */
export function registerOAuthRoutes(fastify: FastifyInstance, handlers: OAuthHandlers): void {
  void fastify.register(async scope => {
    scope.addContentTypeParser(FORM_MEDIA_TYPE, { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, (_, body, done) =>
      done(null, body),
    );
    scope.setErrorHandler(sendError);
    registerMetadata(scope, handlers);
    registerEndpoints(scope, handlers);
    registerAuthorizeRoute(scope, handlers);
  });
}

function registerMetadata(scope: FastifyInstance, { urls }: OAuthHandlers): void {
  const documents: Record<string, object> = {
    [OAUTH_PATHS.resourceMetadata]: buildResourceMetadata(urls, urls.issuer),
    [`${OAUTH_PATHS.resourceMetadata}/mcp`]: buildResourceMetadata(urls, urls.mcp),
    [OAUTH_PATHS.serverMetadata]: buildServerMetadata(urls),
    [OAUTH_PATHS.openidMetadata]: buildServerMetadata(urls),
  };
  for (const [path, document] of Object.entries(documents)) {
    scope.get(path, async (_, reply) =>
      withPublicCors(reply).header('cache-control', METADATA_CACHE_CONTROL).send(document),
    );
  }
}

function registerEndpoints(scope: FastifyInstance, { clients, device, token, revocation }: OAuthHandlers): void {
  const endpoint = (path: string, serve: (fields: FormFields, address: string) => Promise<unknown>) =>
    scope.post(path, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
      withPublicCors(reply);
      return (await serve(readForm(request), readClientAddress(request))) ?? {};
    });
  endpoint(OAUTH_PATHS.deviceAuthorization, (fields, address) => device.startLogin(fields, address));
  endpoint(OAUTH_PATHS.token, fields => token.exchange(fields));
  endpoint(OAUTH_PATHS.revoke, fields => revocation.revoke(fields));
  scope.post(OAUTH_PATHS.register, { bodyLimit: MAX_BODY_BYTES }, async (request, reply) =>
    withPublicCors(reply)
      .status(201)
      .send(await clients.register(request.body, readClientAddress(request))),
  );
}

/** Reads the form of a request. JSON is parsed by the hub's own parser before and counts as an empty form. */
function readForm({ body }: FastifyRequest): FormFields {
  return parseForm(typeof body === 'string' ? body : '');
}

function withPublicCors(reply: FastifyReply): FastifyReply {
  return reply.headers(publicCorsHeaders);
}

function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isServerFault(error)) request.log.error({ err: error, request_id: request.id }, 'a sign-in failed');
  const { status, headers, body } = toOAuthErrorResponse(error);
  return withPublicCors(reply).status(status).headers(headers).send(body);
}
