import type { HttpRequest, HttpResponse, HubHttp } from './ports/http.js';

/**
 * Options of `readPages`.
 * @example readPages(hub.http, first, findNext, { maxPages: 50 })
 */
export interface ReadPagesOptions {
  /** Pages after which it ends, so that a provider whose pages never end holds nobody up. Default: 1000. */
  readonly maxPages?: number;
}

/**
 * Reads the pages of a list, one request after the other, as long as the caller takes them. Statuses are left to the
 * caller.
 * @param first request of the first page
 * @param findNext returns the request of the page after a response; null at the end
 * @throws Error for a page whose request is the same as the one before, which would never end
 * @example
 * ```ts
 * const first = { url: '/v1/calls', query: { limit: 100 } };
 * const pages = readPages(hub.http, first, response => {
 *   const { cursor } = response.json<{ cursor: string | null }>();
 *   return cursor === null ? null : { ...first, query: { ...first.query, cursor } };
 * });
 * for await (const page of pages) await record(page.json());
 * ```
 */
export async function* readPages(
  http: HubHttp,
  first: HttpRequest,
  findNext: (response: HttpResponse) => HttpRequest | null,
  { maxPages = 1_000 }: ReadPagesOptions = {},
): AsyncGenerator<HttpResponse, void, undefined> {
  let request: HttpRequest | null = first;
  for (let page = 0; request !== null && page < maxPages; page++) {
    const response: HttpResponse = await http.request(request);
    yield response;
    const next: HttpRequest | null = findNext(response);
    if (next !== null && toKey(next) === toKey(request))
      throw new Error(`The page after ${request.url} has the same address as the page itself.`);
    request = next;
  }
}

/**
 * Returns the URL with the relation `next` in the header `Link` (RFC 8288), as GitHub and others page; undefined without
 * one. A relative URL is returned as it is.
 * @example readPages(hub.http, first, response => { const url = findNextLink(response); return url ? { url } : null; })
 */
export function findNextLink({ headers }: Pick<HttpResponse, 'headers'>): string | undefined {
  for (const link of splitLinks(headers['link'] ?? '')) {
    const end = link.indexOf('>');
    if (!link.startsWith('<') || end < 0) continue;
    const relations = link
      .slice(end + 1)
      .split(';')
      .map(part => part.trim().toLowerCase())
      .filter(part => part.startsWith('rel='))
      .flatMap(part => part.slice('rel='.length).replaceAll('"', '').split(' '));
    if (relations.includes('next')) return link.slice(1, end);
  }
  return undefined;
}

/** Splits at commas, which a URL in angle brackets can have too. */
function splitLinks(header: string): string[] {
  const links: string[] = [];
  let begin = 0;
  let isInUrl = false;
  for (let i = 0; i <= header.length; i++) {
    if (header[i] === '<') isInUrl = true;
    if (header[i] === '>') isInUrl = false;
    if (i < header.length && (header[i] !== ',' || isInUrl)) continue;
    links.push(header.slice(begin, i).trim());
    begin = i + 1;
  }
  return links;
}

function toKey({ method = 'GET', url, query = {}, json, form, body }: HttpRequest): string {
  return JSON.stringify([method, url, query, json ?? null, form ?? null, String(body ?? '')]);
}
