import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { classifyError } from '#kernel/errors/classify-error.js';
import { pageHeaders } from '#kernel/http/security-headers.js';
import type { BrowserResponse, BrowserRequest } from './consent.flow.js';
import { type FormFields, parseForm } from '../oauth/form.js';
import { CsrfCookie } from './csrf-cookie.js';
import { OAUTH_PATHS } from '../oauth/oauth.urls.js';
import type { OAuthHandlers } from '../oauth/oauth.handlers.js';
import { isServerFault } from '../oauth/oauth.errors.js';
import { errorPage } from '../pages/result.pages.js';

type PageHandler = (fields: FormFields, visitor: BrowserRequest) => Promise<BrowserResponse>;

/** The routes that people see. */
export function registerConsentPages(scope: FastifyInstance, { consent, urls }: OAuthHandlers): void {
  const cookie = new CsrfCookie(urls.issuer.startsWith('https:'));
  const page =
    (serve: PageHandler) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const visitor = { cookie: cookie.read(request.headers.cookie), address: request.ip };
      try {
        return sendResponse(reply, await serve(readFormFields(request), visitor), cookie);
      } catch (error) {
        return sendResponse(reply, toErrorPage(error, request, reply), cookie);
      }
    };

  scope.get(
    OAUTH_PATHS.authorize,
    page((fields, visitor) => consent.startAuthorization(fields, visitor)),
  );
  scope.get(
    OAUTH_PATHS.device,
    page((fields, visitor) => consent.startDeviceLogin(fields, visitor)),
  );
  scope.post(
    OAUTH_PATHS.approve,
    page((fields, visitor) => consent.submit(fields, visitor)),
  );
}

function readFormFields({ method, url, body }: FastifyRequest): FormFields {
  const query = url.indexOf('?');
  return parseForm(method === 'POST' ? String(body ?? '') : query === -1 ? '' : url.slice(query + 1));
}

function sendResponse(reply: FastifyReply, response: BrowserResponse, cookie: CsrfCookie): FastifyReply {
  if ('redirect' in response) return reply.headers(pageHeaders).redirect(response.redirect, 303);
  const { page, nonce } = response;
  if (nonce !== undefined) reply.header('set-cookie', cookie.write(nonce));
  return reply
    .status(page.status)
    .headers(pageHeaders)
    .header('content-security-policy', page.policy)
    .type('text/html; charset=utf-8')
    .send(page.body);
}

/** People are told in words what programs are told in codes. */
function toErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): BrowserResponse {
  if (error instanceof OAuthError) return { page: errorPage(400, error.message) };
  if (isServerFault(error)) request.log.error({ err: error, request_id: request.id }, 'an approval failed');
  const { status, detail = '', retryAfterSeconds } = classifyError(error);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
  return { page: errorPage(status, detail) };
}
