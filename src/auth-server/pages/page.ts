import { createHash } from 'node:crypto';
import { Html, html } from './html.js';
import { STYLE } from './style.js';

/** A rendered page. */
export interface HtmlPage {
  readonly status: number;
  readonly body: string;
  /** Content-Security-Policy: no scripts, no external resources, no framing. */
  readonly policy: string;
}

/** The content of a page. */
export interface PageContent {
  readonly title: string;
  readonly content: Html;
  readonly status?: number;
  /** Small print below the card. */
  readonly footnote?: string;
  /** Target of a redirect after the form is submitted. Browsers apply `form-action` to redirects too. */
  readonly redirectTarget?: string | undefined;
}

const styleHash = createHash('sha256').update(STYLE).digest('base64');
const style = new Html(`<style>${STYLE}</style>`);

/** Renders a page with its Content-Security-Policy. */
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

function buildContentSecurityPolicy(redirectTarget: string | undefined): string {
  const target = redirectTarget === undefined ? '' : ` ${toFormActionSource(new URL(redirectTarget))}`;
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${target}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns the origin of a web URL, or the scheme of an app or IPv6 URL, which policies cannot express otherwise. */
function toFormActionSource({ protocol, origin, hostname }: URL): string {
  const isWeb = protocol === 'https:' || protocol === 'http:';
  return isWeb && !hostname.startsWith('[') ? origin : protocol;
}
