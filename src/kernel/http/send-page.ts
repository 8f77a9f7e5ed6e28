import type { FastifyReply } from 'fastify';
import type { HtmlPage } from './page.js';
import { pageHeaders } from './security-headers.js';

/** Sends a rendered page with its content policy. */
export function sendHtmlPage(reply: FastifyReply, { status, policy, body }: HtmlPage): FastifyReply {
  return reply
    .status(status)
    .headers(pageHeaders)
    .header('content-security-policy', policy)
    .type('text/html; charset=utf-8')
    .send(body);
}
