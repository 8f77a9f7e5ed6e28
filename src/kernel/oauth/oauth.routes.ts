import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { anyPageHeaders } from '#kernel/http/security.js';
import { type Fields, fieldsIn } from './form.js';
import { resourceMetadata, serverMetadata } from './metadata.js';
import { OAUTH_PATHS } from './oauth.addresses.js';
import type { OAuthDoor } from './oauth.door.js';
import { isOurFault, oauthErrorAnswer } from './oauth.errors.js';
import { servePages } from './page.routes.js';

/** Bytes that a form or a registration may have: 64 KiB. */
const BODY_BYTES = 64 * 1024;
const FORM = 'application/x-www-form-urlencoded';
/** Metadata changes with a new version only. */
const KEPT = 'public, max-age=3600';

/**
 * Opens the paths by which programs sign in. They take forms, which no other path does, and ask for no key. Pages of
 * anybody may call what is meant for programs, because nothing there goes by cookies.
 */
export function openOAuthDoor(fastify: FastifyInstance, door: OAuthDoor): void {
  void fastify.register(async scope => {
    scope.addContentTypeParser(FORM, { parseAs: 'string', bodyLimit: BODY_BYTES }, (_, body, done) => done(null, body));
    scope.setErrorHandler(answerError);
    serveMetadata(scope, door);
    serveEndpoints(scope, door);
    servePages(scope, door);
  });
}

function serveMetadata(scope: FastifyInstance, { addresses }: OAuthDoor): void {
  const documents: Record<string, object> = {
    [OAUTH_PATHS.resourceMetadata]: resourceMetadata(addresses, addresses.issuer),
    [`${OAUTH_PATHS.resourceMetadata}/mcp`]: resourceMetadata(addresses, addresses.mcp),
    [OAUTH_PATHS.serverMetadata]: serverMetadata(addresses),
    [OAUTH_PATHS.openidMetadata]: serverMetadata(addresses),
  };
  for (const [path, document] of Object.entries(documents)) {
    scope.get(path, async (_, reply) => forAnybody(reply).header('cache-control', KEPT).send(document));
  }
}

function serveEndpoints(scope: FastifyInstance, { clients, device, token, revocation }: OAuthDoor): void {
  const endpoint = (path: string, serve: (fields: Fields, address: string) => Promise<unknown>) =>
    scope.post(path, { bodyLimit: BODY_BYTES }, async (request, reply) => {
      forAnybody(reply);
      return (await serve(formOf(request), request.ip)) ?? {};
    });
  endpoint(OAUTH_PATHS.deviceAuthorization, (fields, address) => device.begin(fields, address));
  endpoint(OAUTH_PATHS.token, fields => token.exchange(fields));
  endpoint(OAUTH_PATHS.revoke, fields => revocation.revoke(fields));
  scope.post(OAUTH_PATHS.register, { bodyLimit: BODY_BYTES }, async (request, reply) =>
    forAnybody(reply)
      .status(201)
      .send(await clients.register(request.body, request.ip)),
  );
}

/** JSON passes the parser of the house, but these endpoints take forms; it counts as an empty one. */
function formOf({ body }: FastifyRequest): Fields {
  return fieldsIn(typeof body === 'string' ? body : '');
}

function forAnybody(reply: FastifyReply): FastifyReply {
  return reply.headers(anyPageHeaders);
}

function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (isOurFault(error)) request.log.error({ err: error, request_id: request.id }, 'a sign-in failed');
  const { status, headers, body } = oauthErrorAnswer(error);
  return forAnybody(reply).status(status).headers(headers).send(body);
}
