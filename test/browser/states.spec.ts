import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser/chromium.js';
import { type ConsoleHub, startConsoleHub } from '../support/browser/console-hub.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { PAGES } from '../support/browser/pages.js';
import { fillSalesGraph } from '../support/browser/sales-graph.js';
import { signUpOwner } from '../support/browser/sign-up.js';
import type { Client } from '../support/hub.js';
import { PASSWORD } from '../support/sign-in.js';

type Session = NonNullable<BrowserContextOptions['storageState']>;

const PLUGINS_DIR = fileURLToPath(new URL('../../plugins', import.meta.url));
const WIDE = { colorScheme: 'light', viewport: { width: 1440, height: 900 } } as const;
const NARROW_DARK = { colorScheme: 'dark', viewport: { width: 390, height: 844 } } as const;
/** Every look while pictures are taken; otherwise two, in which each theme and width occurs. */
const LOOKS: readonly BrowserContextOptions[] = process.env['SHOTS_DIR']
  ? [WIDE, { ...WIDE, colorScheme: 'dark' }, { ...NARROW_DARK, colorScheme: 'light' }, NARROW_DARK]
  : [WIDE, NARROW_DARK];
/** Pages that have something to show in each workspace. Those of one account need the account. */
const LISTS = PAGES.filter(([path]) => !path.startsWith('accounts/'));

describeInBrowser('every page', () => {
  let browser: Browser;
  let hub: ConsoleHub;
  let viewers = 0;

  beforeAll(async () => {
    [browser, hub] = await Promise.all([launchBrowser(), startConsoleHub({ PLUGINS_DIR })]);
  });
  afterAll(async () => {
    await browser?.close();
    await hub?.end();
  });

  /** Makes an owner of a workspace. @returns the session of their browser */
  async function signUp(client: Client): Promise<Session> {
    const view = await ConsolePage.open(browser, hub.url);
    await signUpOwner(view, hub, client);
    const session = await view.page.context().storageState();
    await view.close();
    return session;
  }

  /** Has a viewer join a workspace. @returns the session of their browser */
  async function inviteViewer(client: Client): Promise<Session> {
    const { body } = await client.post<{ link: string }>('/v2/workspace/invitations', {
      email: `vera${viewers++}@people.example`,
      role: 'viewer',
    });
    const view = await ConsolePage.open(browser, hub.url);
    await view.page.goto(body.link);
    await view.page.getByLabel('Your name').fill('Vera Viewer');
    await view.page.getByLabel('Password').fill(PASSWORD);
    await view.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await view.page.getByRole('heading', { name: 'Attention' }).waitFor();
    const session = await view.page.context().storageState();
    await view.close();
    return session;
  }

  /** Opens each page, and checks that it can be used by everyone and complains of nothing. */
  async function visit(
    state: string,
    { workspaceId }: Client,
    pages: typeof PAGES,
    options: BrowserContextOptions,
  ): Promise<void> {
    const view = await ConsolePage.open(browser, hub.url, options);
    for (const [path, heading] of pages) {
      await view.page.goto(`/w/${workspaceId}/${path}`);
      await view.page.getByRole('heading', { name: heading, exact: true }).first().waitFor();
      await view.settle();
      expect({ path, barriers: await view.findBarriers() }).toEqual({ path, barriers: [] });
      expect({ path, complaints: view.takeComplaints() }).toEqual({ path, complaints: [] });
      expect({ path, alerts: await view.page.getByRole('alert').count() }).toEqual({ path, alerts: 0 });
      await view.takePicture(`${state} ${path}`);
    }
    await view.close();
  }

  it.each(LOOKS)('says what it is for while the workspace is empty, in %j', async look => {
    const empty = await hub.workspace();
    const pages = LISTS.filter(([path]) => path !== 'notes?q=pilot');
    await visit('empty', empty, pages, { ...look, storageState: await signUp(empty) });
  });

  it.each(LOOKS)('is there for viewers, without what they may not do, in %j', async look => {
    const acme = await hub.workspace();
    await fillSalesGraph(acme);
    await visit('viewer', acme, PAGES, { ...look, storageState: await inviteViewer(acme) });
  });

  it.each(LOOKS)('says what a plan does not include, in %j', async look => {
    const starter = await hub.workspace('starter');
    await fillSalesGraph(starter);
    await visit('starter', starter, PAGES, { ...look, storageState: await signUp(starter) });
  });

  it.each(LOOKS)('keeps its place while it loads, and says what went wrong when it cannot, in %j', async look => {
    const acme = await hub.workspace();
    const view = await ConsolePage.open(browser, hub.url, { ...look, storageState: await signUp(acme) });
    for (const [path] of LISTS.filter(([each]) => each !== 'settings/profile' && each !== 'settings/sessions')) {
      let fail = () => {};
      const isFailing = new Promise<void>(resolve => (fail = resolve));
      await view.page.route('**/v2/**', async route => {
        await isFailing;
        const body = JSON.stringify({ error: 'unavailable', detail: 'The hub cannot reach its database.' });
        await route.fulfill({ status: 503, contentType: 'application/json', headers: { 'retry-after': '7' }, body });
      });
      await view.page.goto(`/w/${acme.workspaceId}/${path}`);
      await view.page.locator('[aria-busy=true], [aria-label=Loading]').first().waitFor();
      expect({ path, barriers: await view.findBarriers() }).toEqual({ path, barriers: [] });
      await view.takePicture(`loading ${path}`);
      fail();
      await view.page.getByRole('alert').first().waitFor();
      await view.page.getByText('The hub cannot reach its database.').first().waitFor();
      expect({ path, barriers: await view.findBarriers() }).toEqual({ path, barriers: [] });
      await view.takePicture(`failed ${path}`);
      await view.page.unrouteAll({ behavior: 'ignoreErrors' });
      view.takeComplaints();
    }
    await view.close();
  });
});
