/** What a person sees after a step. */
export interface Shown {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Where the browser is led, if it is. */
  readonly location: URL | undefined;
  /** The hidden fields and what is ticked. */
  readonly fields: Readonly<Record<string, string>>;
}

/** A person at a browser without script, with cookies of their own. */
export class BrowserUser {
  private readonly cookies = new Map<string, string>();

  constructor(private readonly hub: string) {}

  /** Opens an address, whatever host it names: the hub under test stands behind PUBLIC_URL. */
  open(address: string | URL): Promise<Shown> {
    const { pathname, search } = new URL(address, this.hub);
    return this.look(pathname + search);
  }

  /** Fills in the form of a page and presses a button. @param filled further fields; undefined takes one away */
  press(step: string, page: Shown, filled: Record<string, string | undefined> = {}): Promise<Shown> {
    const fields = Object.entries({ ...page.fields, ...filled, step }).filter(
      (field): field is [string, string] => field[1] !== undefined,
    );
    return this.look('/oauth/approve', { method: 'POST', body: new URLSearchParams(fields) });
  }

  /** Shows a key, approves what is ticked, and says where that leads. */
  async approve(address: string | URL, key: string, filled: Record<string, string | undefined> = {}): Promise<Shown> {
    const requested = await this.open(address);
    return this.press('approve', await this.press('sign_in', requested, { api_key: key }), filled);
  }

  /** Sends what a page of the console sends. @param origin origin of the hub as browsers see it */
  async send<Body>(path: string, body: object, origin: string): Promise<Body> {
    const response = await fetch(this.hub + path, {
      method: 'POST',
      headers: {
        origin,
        'content-type': 'application/json',
        'x-rapport-client': 'console',
        ...(this.cookies.size > 0 && { cookie: this.cookieHeader }),
      },
      body: JSON.stringify(body),
    });
    this.keepCookies(response);
    return (await response.json()) as Body;
  }

  private get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  private keepCookies(response: Response): void {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
  }

  private async look(path: string, init: RequestInit = {}): Promise<Shown> {
    const response = await fetch(this.hub + path, {
      ...init,
      redirect: 'manual',
      headers: { ...init.headers, ...(this.cookies.size > 0 && { cookie: this.cookieHeader }) },
    });
    this.keepCookies(response);
    const html = await response.text();
    const location = response.headers.get('location');
    return {
      status: response.status,
      headers: response.headers,
      html,
      location: location === null ? undefined : new URL(location),
      fields: fieldsIn(html),
    };
  }
}

function fieldsIn(html: string): Record<string, string> {
  const inputs = [...html.matchAll(/<input[^>]*>/g)].map(([tag]) => tag);
  const sent = inputs.filter(tag => tag.includes('type="hidden"') || tag.includes(' checked'));
  return Object.fromEntries(sent.map(tag => [attribute(tag, 'name'), attribute(tag, 'value')]));
}

function attribute(tag: string, name: string): string {
  return new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
}
