import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { readCookie } from '../http/cookies.js';
import { html, renderPage } from '../http/page.js';
import { pageHeaders } from '../http/security-headers.js';
import { sendHtmlPage } from '../http/send-page.js';

/** Folder of the built console. */
export const WEB_APP_FOLDER = fileURLToPath(new URL('../../../console/dist', import.meta.url));

/** Addresses of the console. Each one gets the same page, whose program shows what the address names. */
const PAGE_PATHS = [
  '/',
  '/sign-in',
  '/setup/:code',
  '/invite/:token',
  '/reset/:token',
  '/approve',
  '/w/:workspace',
  '/w/:workspace/*',
];

/** The page may load its own files and call its own hub, and nothing else. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Cookie in which a person keeps the theme that differs from the one of their system. */
const THEME_COOKIE = 'rapport_theme';
const HTML_TAG = '<html lang="en">';

/**
 * Registers the console: its page, and the files that the page loads. Without a built console, the page explains how to
 * build it, and the API works all the same.
 * @param folder folder of the built console
 */
export async function registerWebApp(fastify: FastifyInstance, folder = WEB_APP_FOLDER): Promise<void> {
  const indexFile = join(folder, 'index.html');
  const page = existsSync(indexFile) ? readFileSync(indexFile, 'utf8') : undefined;
  for (const path of PAGE_PATHS)
    fastify.get(path, { schema: { hide: true } as object }, (request, reply) =>
      page === undefined ? sendNotBuilt(reply) : sendPage(request, reply, page),
    );
  if (page === undefined) return;
  await fastify.register(fastifyStatic, {
    root: folder,
    index: false,
    wildcard: false,
    globIgnore: ['index.html*', '**/*.{br,gz}'],
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.startsWith(join(folder, 'assets'));
      void reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
    },
  });
}

/** Sends the page in the theme of the reader, so that it never appears in another one first. */
function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  const theme = readCookie(request.headers.cookie, THEME_COOKIE);
  const isChosen = theme === 'light' || theme === 'dark';
  return reply
    .headers({
      ...pageHeaders,
      'cache-control': 'no-cache',
      'content-security-policy': POLICY,
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'same-origin',
    })
    .send(isChosen ? page.replace(HTML_TAG, `<html lang="en" data-theme="${theme}">`) : page);
}

function sendNotBuilt(reply: FastifyReply): FastifyReply {
  const notBuilt = renderPage({
    title: 'The console is not built',
    status: 503,
    content: html`<h1>The console is not built</h1>
      <p>This hub was started without it. Build it with <code>npm run build</code> and start the hub again.</p>
      <p class="soft">The API works as ever; its reference is at <a href="/docs">/docs</a>.</p>`,
  });
  return sendHtmlPage(reply, notBuilt);
}
