import type { FastifyInstance, FastifyRequest } from 'fastify';
import { classifyError } from '#kernel/errors/error-response.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { readCookie } from '#kernel/http/cookies.js';
import type { HtmlPage } from '#kernel/http/page.js';
import { sendHtmlPage } from '#kernel/http/send-page.js';
import { connectedPage, connectPage, leavingPage, notConnectedPage } from './connect.pages.js';
import { createNonce, type ProviderAuthorizationsService } from './provider-authorizations.service.js';
import { TokenRequestError } from './token-endpoint.client.js';

const LINK_PATH = '/connect/:link';
const CALLBACK_PATH = '/connect/callback';
const MAX_BODY_BYTES = 10_000;
const COOKIE_TTL_SECONDS = 3_600;

type LinkRequest = FastifyRequest<{ Params: { link: string } }>;

/**
 * Registers the pages on which a person connects a provider by sign-in. They need no API key: the link is unguessable. A
 * cookie binds the form and the provider's redirect to one browser, so that nobody can be sent into the middle of it.
 * @param isSecure whether the hub is served over https
 */
export function registerConnectPages(
  fastify: FastifyInstance,
  authorizations: ProviderAuthorizationsService,
  isSecure: boolean,
): void {
  void fastify.register(async scope => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: MAX_BODY_BYTES },
      (_, body, done) => done(null, body),
    );
    scope.setErrorHandler((error, request, reply) => sendHtmlPage(reply, toErrorPage(error, request)));

    scope.get(LINK_PATH, async (request, reply) => {
      const { link } = (request as LinkRequest).params;
      const found = await authorizations.describe(link);
      const nonce = readNonce(request, found.id) ?? createNonce();
      reply.header('set-cookie', writeNonce(found.id, nonce, isSecure));
      return sendHtmlPage(reply, connectPage(found, { path: `/connect/${link}`, nonce }));
    });
    scope.post(LINK_PATH, async (request, reply) => {
      const { link } = (request as LinkRequest).params;
      const { id } = await authorizations.describe(link);
      const nonce = new URLSearchParams(String(request.body ?? '')).get('nonce');
      if (nonce === null || nonce !== readNonce(request, id)) throw new HubError('not_found');
      const { signInUrl, providerName } = await authorizations.begin(link, nonce);
      return sendHtmlPage(reply, leavingPage(providerName, signInUrl));
    });
    scope.get(CALLBACK_PATH, async (request, reply) => {
      const query = new URL(request.url, 'http://localhost').searchParams;
      return sendHtmlPage(reply, connectedPage(await authorizations.finish(query, id => readNonce(request, id))));
    });
  });
}

function toCookieName(id: string): string {
  return `rapport_connect_${id}`;
}

function readNonce({ headers }: FastifyRequest, id: string): string | undefined {
  return readCookie(headers.cookie, toCookieName(id));
}

function writeNonce(id: string, nonce: string, isSecure: boolean): string {
  const attributes = `Path=/connect; Max-Age=${COOKIE_TTL_SECONDS}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  return `${toCookieName(id)}=${nonce}; ${attributes}`;
}

const UNKNOWN_LINK =
  'This link has expired or was used already, or the sign-in was begun in another browser. Ask for a new link.';

/** Presents an error as a page, since a person reads the response. */
function toErrorPage(error: unknown, request: FastifyRequest): HtmlPage {
  if (error instanceof TokenRequestError)
    return notConnectedPage(error.reason === 'unreachable' ? 502 : 400, error.message);
  const { status, code, detail, details } = classifyError(error);
  if (code === 'not_found') return notConnectedPage(410, UNKNOWN_LINK);
  if (status >= 500 && !(error instanceof HubError))
    request.log.error({ err: error, request_id: request.id }, 'a provider could not be connected');
  return notConnectedPage(status, detail ?? details?.[0]?.message ?? 'Something went wrong.');
}
