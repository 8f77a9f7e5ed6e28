import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { classifyError } from '#kernel/errors/error-response.js';
import { readClientAddress } from '#kernel/limits/client-address.js';
import { readCookie } from '#kernel/http/cookies.js';
import { pageHeaders } from '#kernel/http/security-headers.js';
import { sendHtmlPage } from '#kernel/http/send-page.js';
import type { ConsentRequest } from './consent-state.service.js';
import type { BrowserResponse, BrowserRequest } from './consent.flow.js';
import { type FormFields, parseForm } from '../oauth/form.js';
import { OAUTH_PATHS } from '../oauth/oauth.urls.js';
import type { OAuthHandlers } from '../oauth/oauth.routes.js';
import { isServerFault } from '../oauth/oauth.errors.js';
import { errorPage } from '../pages/consent.pages.js';

/** The authorization response to a client (RFC 6749, section 4.1.2). */
export type AuthorizationResponse =
  | { readonly code: string }
  | { readonly error: string; readonly error_description?: string };

/**
 * Builds the URL that redirects a browser to its client, with the response, the client's `state`, and the issuer
 * (`iss`, RFC 9207), which protects clients of several authorization servers from mix-up attacks.
 */
export function buildRedirectUrl(
  { uri, state }: Pick<NonNullable<ConsentRequest['redirect']>, 'uri' | 'state'>,
  response: AuthorizationResponse,
  issuer: string,
): string {
  const params = new URLSearchParams({ ...response, ...(state !== undefined && { state }), iss: issuer });
  const [url] = uri.split('#');
  return `${url}${url!.includes('?') ? '&' : '?'}${params.toString()}`;
}

type PageHandler = (fields: FormFields, browser: BrowserRequest) => Promise<BrowserResponse>;

/** Registers the routes of the consent pages. */
export function registerConsentPages(scope: FastifyInstance, { consent, urls }: OAuthHandlers): void {
  const cookie = new CsrfCookie(urls.issuer.startsWith('https:'));
  const page =
    (serve: PageHandler) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
      const { cookie: cookies = '' } = request.headers;
      const browser = {
        cookie: cookie.read(cookies),
        cookies,
        address: readClientAddress(request),
        path: request.method === 'GET' ? request.url : undefined,
      };
      try {
        return sendResponse(reply, await serve(readFormFields(request), browser), cookie);
      } catch (error) {
        return sendResponse(reply, toErrorPage(error, request, reply), cookie);
      }
    };

  scope.get(
    OAUTH_PATHS.authorize,
    page((fields, browser) => consent.startAuthorization(fields, browser)),
  );
  scope.get(
    OAUTH_PATHS.device,
    page((fields, browser) => consent.startDeviceLogin(fields, browser)),
  );
  scope.post(
    OAUTH_PATHS.approve,
    page((fields, browser) => consent.submit(fields, browser)),
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
  return sendHtmlPage(reply, page);
}

/** Presents an error as a page, since a person reads the response. */
function toErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): BrowserResponse {
  if (error instanceof OAuthError) return { page: errorPage(400, error.message) };
  if (isServerFault(error)) request.log.error({ err: error, request_id: request.id }, 'a consent request failed');
  const { status, detail = '', retryAfterSeconds } = classifyError(error);
  if (retryAfterSeconds !== undefined) reply.header('retry-after', Math.ceil(retryAfterSeconds));
  return { page: errorPage(status, detail) };
}

/** The cookie that binds a form to its browser. It holds a random nonce and grants no access. */
class CsrfCookie {
  private readonly name: string;
  private readonly attributes: string;

  /** @param secure whether the hub is served over https */
  constructor(secure: boolean) {
    this.name = secure ? '__Host-rapport_consent' : 'rapport_consent';
    this.attributes = `Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`;
  }

  /** Returns the nonce in a `Cookie` header. */
  read(header: string | undefined): string | undefined {
    return readCookie(header, this.name);
  }

  /** Returns the `Set-Cookie` header of a session cookie with a nonce. */
  write(nonce: string): string {
    return `${this.name}=${nonce}; ${this.attributes}`;
  }
}
