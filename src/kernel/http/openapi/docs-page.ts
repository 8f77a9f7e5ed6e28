import { createHash } from 'node:crypto';
import { fastify } from 'fastify';

/** The reference page and everything it loads. */
export interface DocsPage {
  readonly html: string;
  /** The program of the page. */
  readonly script: string;
  /** The content policy that lets the page run its program, read the document, and nothing else. */
  readonly policy: string;
}

/** Where the program of the page is served. */
export const SCRIPT_PATH = '/docs/scalar.js';

/** Without an icon of its own, a page makes browsers request `/favicon.ico`. */
const ICON = '<link rel="icon" href="data:,">';

const SCALAR_CONFIGURATION = {
  url: '/openapi.json',
  cdn: SCRIPT_PATH,
  pageTitle: 'Rapport API',
  theme: 'default',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
} as const;

/**
 * Makes the page of Scalar, with its program out of the npm package: nothing is loaded from elsewhere. The package
 * weighs 40 MB of memory and keeps its program to itself, so it is loaded for the first reader only and called through
 * a server of its own.
 */
export async function buildDocsPage(): Promise<DocsPage> {
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const inner = fastify();
  await inner.register(scalar, { routePrefix: '/', configuration: SCALAR_CONFIGURATION });
  const [{ body: html }, { body: script }] = await Promise.all([inner.inject('/'), inner.inject('/js/scalar.js')]);
  await inner.close();
  return { html: html.replace('</head>', `${ICON}</head>`), script, policy: buildPolicy(html) };
}

/** Inline scripts are named by their hash, so that no other one runs. Scalar sets styles from its program. */
function buildPolicy(html: string): string {
  const inline = [...html.matchAll(/<script(?![^>]*\bsrc=)[^>]*>([\s\S]*?)<\/script>/g)];
  const hashes = inline.map(([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`);
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes.join(' ')}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
