import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { classifyError } from '#kernel/errors/error-response.js';
import { html, type HtmlPage, renderPage } from '#kernel/http/page.js';
import { pageHeaders } from '#kernel/http/security-headers.js';
import { sendHtmlPage } from '#kernel/http/send-page.js';
import { readClientAddress } from '#kernel/limits/client-address.js';
import { parseForm } from './form.js';
import { isServerFault } from './oauth.errors.js';
import type { OAuthHandlers } from './oauth.routes.js';
import { OAUTH_PATHS } from './oauth.urls.js';

/**
 * Registers `GET /oauth/authorize`, to which a program sends a browser: it leads on to the approval page of the console, or
 * shows what is wrong with the request.
 */
export function registerAuthorizeRoute(scope: FastifyInstance, { authorization }: OAuthHandlers): void {
  scope.get(OAUTH_PATHS.authorize, async (request, reply) => {
    try {
      const fields = parseForm(request.url.split('?').slice(1).join('?'));
      const { redirect } = await authorization.startApproval(fields, readClientAddress(request));
      return reply.headers(pageHeaders).redirect(redirect, 303);
    } catch (error) {
      return sendHtmlPage(reply, toErrorPage(error, request, reply));
    }
  });
}

/** Presents an error as a page, since a person reads the response. */
function toErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): HtmlPage {
  if (error instanceof OAuthError) return errorPage(400, error.message);
  if (isServerFault(error))
    request.log.error({ err: error, request_id: request.id }, 'an authorization request failed');
  const { status, detail = '', retryAfterSeconds } = classifyError(error);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
  return errorPage(status, detail);
}

/** Renders an error that cannot be reported to the program. */
function errorPage(status: number, text: string): HtmlPage {
  return renderPage({
    title: 'Something went wrong',
    status,
    content: html`<h1>Something went wrong</h1>
      <p class="alert" role="alert">${text}</p>
      <p class="soft">
        Nothing was granted. Start again in your program. If this happens again, report the message above to its
        developers.
      </p>`,
  });
}
