import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { recognise } from '#kernel/errors/recognise.js';
import { pageHeaders } from '#kernel/http/security.js';
import type { BrowserAnswer, Visitor } from './approval.flow.js';
import { type Fields, fieldsIn } from './form.js';
import { NonceCookie } from './nonce-cookie.js';
import { OAUTH_PATHS } from './oauth.addresses.js';
import type { OAuthDoor } from './oauth.door.js';
import { isOurFault } from './oauth.errors.js';
import { problemPage } from './pages/other.pages.js';

type Serve = (fields: Fields, visitor: Visitor) => Promise<BrowserAnswer>;

/** The routes that people see. */
export function servePages(scope: FastifyInstance, { flow, addresses }: OAuthDoor): void {
  const cookie = new NonceCookie(addresses.issuer.startsWith('https:'));
  const page =
    (serve: Serve) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const visitor = { cookie: cookie.read(request.headers.cookie), address: request.ip };
      try {
        return send(reply, await serve(fieldsOf(request), visitor), cookie);
      } catch (error) {
        return send(reply, pageAbout(error, request, reply), cookie);
      }
    };

  scope.get(
    OAUTH_PATHS.authorize,
    page((fields, visitor) => flow.openAuthorization(fields, visitor)),
  );
  scope.get(
    OAUTH_PATHS.device,
    page((fields, visitor) => flow.openDevice(fields, visitor)),
  );
  scope.post(
    OAUTH_PATHS.approve,
    page((fields, visitor) => flow.step(fields, visitor)),
  );
}

function fieldsOf({ method, url, body }: FastifyRequest): Fields {
  const query = url.indexOf('?');
  return fieldsIn(method === 'POST' ? String(body ?? '') : query === -1 ? '' : url.slice(query + 1));
}

function send(reply: FastifyReply, answer: BrowserAnswer, cookie: NonceCookie): FastifyReply {
  if ('redirect' in answer) return reply.headers(pageHeaders).redirect(answer.redirect, 303);
  const { page, nonce } = answer;
  if (nonce !== undefined) reply.header('set-cookie', cookie.write(nonce));
  return reply
    .status(page.status)
    .headers(pageHeaders)
    .header('content-security-policy', page.policy)
    .type('text/html; charset=utf-8')
    .send(page.body);
}

/** People are told in words what programs are told in codes. */
function pageAbout(error: unknown, request: FastifyRequest, reply: FastifyReply): BrowserAnswer {
  if (error instanceof OAuthError) return { page: problemPage(400, error.message) };
  if (isOurFault(error)) request.log.error({ err: error, request_id: request.id }, 'an approval failed');
  const { status, detail = '', retryAfterSeconds } = recognise(error);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
  return { page: problemPage(status, detail) };
}
