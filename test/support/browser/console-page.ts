import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

const axeScript = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const AXE_RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

/** A page of the console in a browser context of its own. It notes what should never happen. */
export class ConsolePage {
  private readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly origin: string,
  ) {
    page.on('pageerror', error => this.complaints.push(`error: ${error.message}`));
    page.on('console', message => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
    });
    page.on('request', request => {
      if (!request.url().startsWith(origin)) this.complaints.push(`request to ${request.url()}`);
    });
  }

  /** Opens a page. @param options such as `viewport`, `colorScheme` or a stored session */
  static async open(browser: Browser, origin: string, options: BrowserContextOptions = {}): Promise<ConsolePage> {
    const context = await browser.newContext({ baseURL: origin, reducedMotion: 'reduce', ...options });
    return new ConsolePage(await context.newPage(), origin);
  }

  /**
   * Opens a page at an address that leads nowhere from here, such as a public https one, and passes its requests on to the
   * hub, as a proxy before the hub would.
   */
  static async openThrough(browser: Browser, publicUrl: string, hubUrl: string): Promise<ConsolePage> {
    const view = await ConsolePage.open(browser, publicUrl);
    await view.page.context().route(`${publicUrl}/**`, async route => {
      const request = route.request();
      const response = await fetch(request.url().replace(publicUrl, hubUrl), {
        method: request.method(),
        headers: await request.allHeaders(),
        body: request.postDataBuffer(),
        redirect: 'manual',
      });
      const headers = Object.fromEntries(response.headers);
      headers['set-cookie'] = response.headers.getSetCookie().join('\n');
      delete headers['content-encoding'];
      delete headers['content-length'];
      await route.fulfill({ status: response.status, headers, body: Buffer.from(await response.arrayBuffer()) });
    });
    return view;
  }

  /** Opens another page in the same context, as another tab. */
  async openTab(): Promise<ConsolePage> {
    return new ConsolePage(await this.page.context().newPage(), this.origin);
  }

  /** Returns errors, warnings, refusals of the content policy and requests to elsewhere since the last call. */
  takeComplaints(): string[] {
    return this.complaints.splice(0);
  }

  /** Returns what axe finds wrong on the page as it is. */
  async findBarriers(): Promise<string[]> {
    // The content policy refuses scripts that are added to the page, so the debugger adds this one.
    const session = await this.page.context().newCDPSession(this.page);
    await session.send('Runtime.evaluate', { expression: axeScript });
    const { violations } = await this.page.evaluate<AxeResult, string[]>(
      rules => (globalThis as unknown as { axe: { run: Function } }).axe.run({ exclude: [] }, { runOnly: rules }),
      AXE_RULES,
    );
    await session.detach();
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }

  /** Waits until the page loads nothing that it is about to show. */
  async settle(): Promise<void> {
    await this.page.locator('[aria-busy=true], [aria-label=Loading]').first().waitFor({ state: 'detached' });
  }

  /** Returns what an expression is in the page, which has names that tests do not know. */
  evaluate<Value>(expression: string): Promise<Value> {
    return this.page.evaluate(expression) as Promise<Value>;
  }

  /**
   * Takes a picture of the page in the folder that SHOTS_DIR names; without one, none is taken.
   * @param name tells pages and states apart; size and colours of the page are added
   */
  async takePicture(name: string): Promise<void> {
    const { SHOTS_DIR: folder } = process.env;
    if (!folder) return;
    const width = this.page.viewportSize()!.width;
    const isDark = await this.evaluate<boolean>("matchMedia('(prefers-color-scheme: dark)').matches");
    const file = `${name} ${isDark ? 'dark' : 'light'} ${width}`.replaceAll(/[^a-z0-9@.]+/gi, '-');
    await this.page.screenshot({ path: join(folder, `${file}.png`) });
  }

  /** Returns the number of elements of the page. */
  countNodes(): Promise<number> {
    return this.evaluate<number>('document.querySelectorAll("*").length');
  }

  /** Closes the context of the page. */
  async close(): Promise<void> {
    await this.page.context().close();
  }
}
