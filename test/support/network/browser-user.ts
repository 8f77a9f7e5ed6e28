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
  private cookie = '';

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

  private async look(path: string, init: RequestInit = {}): Promise<Shown> {
    const response = await fetch(this.hub + path, {
      ...init,
      redirect: 'manual',
      ...(this.cookie && { headers: { cookie: this.cookie } }),
    });
    this.cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? this.cookie;
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
