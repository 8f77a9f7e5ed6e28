import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { Receiver } from '../fakes/receiver.js';
import { describeInBrowser, launchBrowser } from '../support/browser/chromium.js';
import { type ConsoleHub, startConsoleHub } from '../support/browser/console-hub.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { fillSalesGraph } from '../support/browser/sales-graph.js';
import { PAGES } from '../support/browser/pages.js';
import { signUpOwner } from '../support/browser/sign-up.js';
import { addWork } from '../support/browser/work-pages.js';
import type { Client } from '../support/hub.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../plugins', import.meta.url));
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 390, height: 844 };
const LOOKS = [
  ['light', WIDE],
  ['dark', WIDE],
  ['light', NARROW],
  ['dark', NARROW],
] as const;
/** Most that the first load of a page may weigh, in bytes with gzip: its scripts and styles, without fonts. */
const MAX_LOAD_BYTES = 200_000;
/** Most that a page may add to the lightest one. */
const MAX_ROUTE_BYTES = 60_000;
const MAX_NODES = 3_000;
const MAX_CALLS = 3;
const MAX_LAYOUT_SHIFT = 0.02;

describeInBrowser('every page', () => {
  let browser: Browser;
  let hub: ConsoleHub;
  let acme: Client;
  let session: BrowserContextOptions['storageState'];
  let receiver: Receiver;
  let pages: typeof PAGES;

  beforeAll(async () => {
    [browser, receiver] = await Promise.all([launchBrowser(), Receiver.start()]);
    hub = await startConsoleHub({ PLUGINS_DIR, TRIGGERS_EGRESS_ALLOWLIST: 'localhost' });
    acme = await hub.workspace();
    await fillSalesGraph(acme);
    pages = [...PAGES, ...(await addWork(acme, receiver.url('/looks')))];
    const owner = await ConsolePage.open(browser, hub.url);
    await signUpOwner(owner, hub, acme);
    session = await owner.page.context().storageState();
    await owner.close();
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.end();
    await receiver?.close();
  });

  it.each(LOOKS)('can be used by everyone, in %s at %j', async (colorScheme, viewport) => {
    const view = await ConsolePage.open(browser, hub.url, { colorScheme, viewport, storageState: session! });
    for (const [path, heading] of pages) {
      await view.page.goto(`/w/${acme.workspaceId}/${path}`);
      await view.page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
      await view.settle();
      expect({ path, barriers: await view.findBarriers() }).toEqual({ path, barriers: [] });
      expect({ path, complaints: view.takeComplaints() }).toEqual({ path, complaints: [] });
      await view.takePicture(`filled ${path}`);
    }
    for (const [open, name] of [
      ['Control+k', 'Find or go to'],
      ['?', 'Keyboard shortcuts'],
    ] as const) {
      await view.page.goto(`/w/${acme.workspaceId}/people`);
      await view.page.getByRole('row').nth(1).waitFor();
      await view.page.keyboard.press(open);
      await view.page.getByRole('dialog', { name }).waitFor();
      expect({ name, barriers: await view.findBarriers() }).toEqual({ name, barriers: [] });
    }
    await view.close();
  });

  it.each(['/sign-in', '/setup/unknown', '/invite/unknown', '/reset/any'])(
    'can be used by everyone without a session, at %s',
    async path => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const view = await ConsolePage.open(browser, hub.url, { colorScheme, viewport: NARROW });
        await view.page.goto(path);
        await view.page.getByRole('heading', { level: 1 }).waitFor();
        expect(await view.findBarriers()).toEqual([]);
        await view.close();
      }
    },
  );

  it.each(LOOKS)(
    'of a program that waits for approval can be used by everyone, in %s at %j',
    async (colorScheme, viewport) => {
      const start = await fetch(`${hub.url}/oauth/device_authorization`, {
        method: 'POST',
        body: new URLSearchParams({ client_id: 'rapport-cli', scope: 'read admin' }),
      });
      const { user_code } = (await start.json()) as { user_code: string };
      for (const [name, storageState, heading] of [
        ['with an account', session, 'Approve Rapport CLI for Acme?'],
        ['without an account', undefined, 'Rapport CLI requests access'],
      ] as const) {
        const view = await ConsolePage.open(browser, hub.url, {
          colorScheme,
          viewport,
          ...(storageState && { storageState }),
        });
        await view.page.goto(`/approve?user_code=${user_code}`);
        await view.page.getByRole('heading', { name: heading }).waitFor();
        await view.settle();
        expect(await view.findBarriers()).toEqual([]);
        expect(view.takeComplaints()).toEqual([]);
        await view.takePicture(`approve ${name}`);
        await view.close();
      }
    },
  );

  it('fits into a width of 320 pixels', async () => {
    const view = await ConsolePage.open(browser, hub.url, {
      viewport: { width: 320, height: 640 },
      storageState: session!,
    });
    for (const [path, heading] of pages) {
      await view.page.goto(`/w/${acme.workspaceId}/${path}`);
      await view.page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
      await view.settle();
      const width = await view.evaluate<number>('document.documentElement.scrollWidth');
      expect({ path, width }).toEqual({ path, width: 320 });
      await view.takePicture(`filled ${path}`);
    }
    await view.close();
  });

  it('keeps within its budget of bytes, nodes and calls', async () => {
    const weights: number[] = [];
    for (const [path, heading] of pages) {
      const view = await ConsolePage.open(browser, hub.url, { viewport: WIDE, storageState: session! });
      let bytes = 0;
      const calls: string[] = [];
      view.page.on('request', request => {
        const { pathname } = new URL(request.url());
        if (/^\/(?:v2|auth)\//.test(pathname)) calls.push(pathname);
        if (/\.(?:js|css)$/.test(pathname)) bytes += gzipSize(pathname);
      });
      await view.page.goto(`/w/${acme.workspaceId}/${path}`);
      await view.page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
      await view.page.waitForLoadState('networkidle');
      const nodes = await view.countNodes();
      expect({ path, calls: calls.length <= MAX_CALLS || calls }).toEqual({ path, calls: true });
      expect({ path, isStill: (await readLayoutShift(view)) < MAX_LAYOUT_SHIFT }).toEqual({ path, isStill: true });
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThan(MAX_LOAD_BYTES);
      weights.push(bytes);
      expect(nodes).toBeLessThan(MAX_NODES);
      await view.close();
    }
    expect(Math.max(...weights) - Math.min(...weights)).toBeLessThan(MAX_ROUTE_BYTES);
  });

  it('keeps the theme that a person chose, from the first paint on', async () => {
    const view = await ConsolePage.open(browser, hub.url, {
      colorScheme: 'light',
      viewport: WIDE,
      storageState: session!,
    });
    await view.page.goto(`/w/${acme.workspaceId}/people`);
    await view.page.getByRole('button', { name: 'Olga Owner' }).click();
    await view.page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const background = () => view.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const dark = await background();
    const reloaded = await view.page.reload();
    expect(await reloaded!.text()).toContain('data-theme="dark"');
    expect(await background()).toBe(dark);
    await view.close();
  });
});

/** Returns how far what was drawn has moved since, as browsers measure it (cumulative layout shift). */
function readLayoutShift(view: ConsolePage): Promise<number> {
  return view.evaluate<number>(`new Promise(resolve => {
    new PerformanceObserver(list => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
      .observe({ type: 'layout-shift', buffered: true });
    setTimeout(() => resolve(0), 100);
  })`);
}

/** Size of a file of the console as the hub sends it to a browser that takes gzip. */
function gzipSize(pathname: string): number {
  const folder = 'console/dist/assets';
  const name = pathname.split('/').at(-1)!;
  return readFileSync(`${folder}/${readdirSync(folder).includes(`${name}.gz`) ? `${name}.gz` : name}`).length;
}
