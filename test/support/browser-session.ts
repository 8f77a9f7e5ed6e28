/** Address of the hub as the pages of these tests see it; the hub has to be started with it as `PUBLIC_URL`. */
export const PUBLIC_URL = 'https://rapport.example';

/** A response with its parsed body. */
export interface Reply<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A page as a browser gets it. */
export interface OpenedPage {
  readonly status: number;
  readonly headers: Headers;
  /** Where the response leads; empty if nowhere. */
  readonly location: string;
  readonly html: string;
}

/** Sends requests as the pages of the hub do in a browser, and keeps the cookies that it gets. */
export class BrowserSession {
  private readonly cookies = new Map<string, string>();

  /** @param ownHeaders headers of every request; one that is null is left out. */
  constructor(
    private readonly url: string,
    private readonly ownHeaders: Readonly<Record<string, string | null>> = {},
  ) {}

  /** The `Cookie` header. */
  get cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  async send<Body = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string | null>> = {},
  ): Promise<Reply<Body>> {
    const all: Record<string, string | null> = {
      origin: PUBLIC_URL,
      'sec-fetch-site': 'same-origin',
      'x-rapport-client': 'console',
      'content-type': body === undefined ? null : 'application/json',
      cookie: this.cookies.size > 0 ? this.cookie : null,
      ...this.ownHeaders,
      ...headers,
    };
    const sent = Object.entries(all).filter((each): each is [string, string] => each[1] !== null);
    const init = { method, headers: sent, ...(body !== undefined && { body: JSON.stringify(body) }) };
    const response = await fetch(this.url + path, init);
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
  }

  /** Opens an address by a link from another site, and follows no redirect. @returns where the response leads */
  async visit(path: string): Promise<Pick<OpenedPage, 'status' | 'location'>> {
    const { status, location } = await this.open(path);
    return { status, location };
  }

  /** Opens an address as {@link visit} does, whatever host it names: the hub under test has another one than PUBLIC_URL. */
  async open(address: string | URL): Promise<OpenedPage> {
    const { pathname, search } = new URL(address, this.url);
    const headers = {
      'sec-fetch-site': 'cross-site',
      cookie: this.cookies.size > 0 ? this.cookie : null,
      ...this.ownHeaders,
      origin: null,
    };
    const sent = Object.entries(headers).filter((each): each is [string, string] => each[1] !== null);
    const response = await fetch(this.url + pathname + search, { headers: sent, redirect: 'manual' });
    for (const line of response.headers.getSetCookie()) this.keep(line);
    return {
      status: response.status,
      headers: response.headers,
      location: response.headers.get('location') ?? '',
      html: await response.text(),
    };
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split(';').map(part => part.trim());
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    if (value === '' || attributes.some(each => /^max-age=0$/i.test(each))) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}
