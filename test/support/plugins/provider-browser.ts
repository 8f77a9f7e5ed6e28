/** A browser of one person, with its cookies. It follows links within the hub and to the provider, as a person would. */
export class ProviderBrowser {
  private readonly cookies = new Map<string, string>();

  /** @param hubUrl address of the hub under test, whose port differs from that of PUBLIC_URL */
  constructor(private readonly hubUrl: string) {}

  /** Opens an address and keeps its cookies. */
  async open(url: string, init: RequestInit = {}) {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', ...init, headers: { ...init.headers, cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [pair] = set.split(';');
      const [name, value] = pair!.split('=');
      this.cookies.set(name!, value!);
    }
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** Opens the link and continues. @returns the page that leads to the provider */
  async submit(link: string) {
    const page = await this.open(link);
    const nonce = /name="nonce" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    return this.open(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ nonce }).toString(),
    });
  }

  /** Goes from the link to the provider. @returns the address to which the provider sends the browser back */
  async approve(link: string): Promise<string> {
    const leaving = await this.submit(link);
    const target = /content="0;url=([^"]+)"/.exec(leaving.text)![1]!.replaceAll('&amp;', '&');
    const back = await this.open(target);
    const callback = new URL(back.headers.get('location')!);
    return this.hubUrl + callback.pathname + callback.search;
  }

  /** Signs in from beginning to end. @returns the last page */
  async signIn(link: string) {
    return this.open(await this.approve(link));
  }
}
