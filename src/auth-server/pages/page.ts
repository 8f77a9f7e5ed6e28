import { createHash } from 'node:crypto';
import { Html, html } from './html.js';
import { STYLE } from './style.js';

/** A page as it is sent. */
export interface HtmlPage {
  readonly status: number;
  readonly body: string;
  /** The content policy: no script, nothing from elsewhere, in no frame. */
  readonly policy: string;
}

/** What a page is made of. */
export interface PageContent {
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
  /** Below the card, in small letters. */
  readonly footnote?: string;
  /** Where the answer to the form may lead besides here: browsers hold redirects to the policy of the form. */
  readonly redirectTarget?: string | undefined;
}

const styleHash = createHash('sha256').update(STYLE).digest('base64');
const style = new Html(`<style>${STYLE}</style>`);

/** Puts a page together. */
export function renderPage({ title, content, status = 200, footnote, redirectTarget }: PageContent): HtmlPage {
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title} · Rapport</title>
        ${style}
      </head>
      <body>
        <main>
          <p class="mark">Rapport</p>
          <div class="card">${content}</div>
          ${footnote !== undefined && html`<p class="foot">${footnote}</p>`}
        </main>
      </body>
    </html> `.text;
  return { status, body, policy: buildContentSecurityPolicy(redirectTarget) };
}

function buildContentSecurityPolicy(leadsTo: string | undefined): string {
  const target = leadsTo === undefined ? '' : ` ${toFormActionSource(new URL(leadsTo))}`;
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${target}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** An address of the web by its origin, an app by its scheme; policies know no IPv6 addresses, so those as well. */
function toFormActionSource({ protocol, origin, hostname }: URL): string {
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && !hostname.startsWith('[') ? origin : protocol;
}
