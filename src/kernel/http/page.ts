import { createHash } from 'node:crypto';

/** Trusted HTML, which is not escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type HtmlValue = string | number | Html | undefined | false | readonly (string | Html)[];

/** Renders a template. Values are escaped unless they are {@link Html}; undefined and false render nothing. */
export function html(texts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(texts.map((text, i) => text + renderValue(values[i])).join(''));
}

function renderValue(value: HtmlValue): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(renderValue).join('');
  return escapeHtml(String(value));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ENTITIES[character]!);
}

/** The style sheet of the pages that the hub renders itself: light or dark by the system setting, one column at any width. */
const STYLE = `
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5b6575; --line: #dfe3e9; --page: #f5f6f8; --card: #fff;
  --accent: #1f5f4c; --on-accent: #fff; --bad: #9b2c22; --bad-tint: #fbecea; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7eaef; --soft: #a3adbb; --line: #333b47; --page: #12161c;
  --card: #1a2028; --accent: #7fceb2; --on-accent: #0e1a16; --bad: #f0a59c; --bad-tint: #35201e; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--page); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
main { width: min(30rem, 100%); margin: 0 auto; padding: clamp(1rem, 6vh, 4rem) 1rem 2rem; }
.mark { margin: 0 0 1rem .25rem; font-weight: 650; letter-spacing: -.01em; }
.mark::before { content: ""; display: inline-block; width: .7em; height: .7em; margin-right: .5em; border-radius: 50%;
  background: var(--accent); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: clamp(1.1rem, 5vw, 1.75rem); }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; line-height: 1.25; letter-spacing: -.015em; text-wrap: balance;
  overflow-wrap: anywhere; }
p { margin: 0 0 1rem; }
.soft, dt { color: var(--soft); }
dl { margin: 1.25rem 0; border-top: 1px solid var(--line); }
dl > div { display: flex; flex-wrap: wrap; gap: .1rem 1rem; padding: .6rem 0; border-bottom: 1px solid var(--line); }
dt { flex: 0 0 7rem; font-size: .9rem; }
dd { flex: 1 1 12rem; margin: 0; overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .7rem; margin-top: 1.5rem; }
button { flex: 1 1 8rem; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: 9px; background: none;
  color: inherit; font: inherit; font-weight: 600; cursor: pointer; }
button.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.alert { margin: 0 0 1.25rem; padding: .75rem .9rem; border-radius: 9px; background: var(--bad-tint); color: var(--bad); }
.foot { margin: 1.25rem .25rem 0; color: var(--soft); font-size: .85rem; }
`;

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
  /** Address to which the browser goes by itself. Unlike a redirect after a form, `form-action` does not apply to it. */
  readonly nextUrl?: string;
}

const styleHash = createHash('sha256').update(STYLE).digest('base64');
const style = new Html(`<style>${STYLE}</style>`);

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Renders a page with its Content-Security-Policy. */
export function renderPage({ title, content, status = 200, footnote, nextUrl }: PageContent): HtmlPage {
  const body = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        ${nextUrl !== undefined && html`<meta http-equiv="refresh" content="0;url=${nextUrl}" />`}
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
  return { status, body, policy: POLICY };
}
