import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser/chromium.js';
import { type ConsoleHub, startConsoleHub } from '../support/browser/console-hub.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { copyPeople } from '../support/browser/fill-people.js';
import { signUpOwner } from '../support/browser/sign-up.js';
import type { Client } from '../support/hub.js';

const PEOPLE = 100_000;
/** Pages that are scrolled through. */
const PAGES = 60;
const PAGE_ROWS = 100;

describeInBrowser('a list of 100 000 people', () => {
  let browser: Browser;
  let hub: ConsoleHub;
  let acme: Client;
  let view: ConsolePage;

  beforeAll(async () => {
    [browser, hub] = await Promise.all([launchBrowser(), startConsoleHub()]);
    acme = await hub.workspace();
    for (const [name, title] of [
      ['vp', 'VP Sales'],
      ['engineer', 'Engineer'],
    ] as const) {
      await acme.post('/v2/observations', {
        focus: `${name}@many.example`,
        observations: [
          { kind: 'state', property: 'name', value: `Zoe ${name}` },
          { kind: 'state', property: 'title', value: title },
        ],
      });
    }
    await copyPeople(hub, acme.workspaceId, 'vp@many.example', [0, 999]);
    await copyPeople(hub, acme.workspaceId, 'engineer@many.example', [1_000, PEOPLE - 1]);
    view = await ConsolePage.open(browser, hub.url, { viewport: { width: 1440, height: 900 } });
    await signUpOwner(view, hub, acme);
  });
  afterAll(async () => {
    await view?.close();
    await browser?.close();
    await hub?.end();
  });
  afterEach(() => expect(view.takeComplaints()).toEqual([]));

  it('is counted up to 10,000, scrolled without asking for a page twice, and with few nodes', async () => {
    const { page } = view;
    const asked: string[] = [];
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/v2/people') asked.push(searchParams.get('cursor') ?? 'first');
    });
    await page.goto(`/w/${acme.workspaceId}/people?sort=name`);
    await page.getByText('more than 10,000 people').waitFor();
    await page.getByRole('grid').focus();
    for (let loaded = PAGE_ROWS; loaded <= PAGES * PAGE_ROWS; loaded += PAGE_ROWS) {
      await page.keyboard.press('End');
      await page
        .getByRole('row')
        .filter({ hasText: `Copy ${String(loaded - 1).padStart(6, '0')}` })
        .waitFor();
      await page.locator('[role=grid][aria-busy=false]').waitFor();
    }
    expect(asked.length).toBeLessThanOrEqual(PAGES + 1);
    expect(new Set(asked).size).toBe(asked.length);
    expect(await view.countNodes()).toBeLessThan(3_000);
    await page.keyboard.press('Home');
    await page.getByRole('row').filter({ hasText: 'Copy 000000' }).waitFor();
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('is filtered by one request, whose rows are shown at once', async () => {
    const { page } = view;
    const asked: string[] = [];
    await page.goto(`/w/${acme.workspaceId}/people?sort=name`);
    await page.getByText('more than 10,000 people').waitFor();
    page.on('request', request => {
      if (new URL(request.url()).pathname === '/v2/people') asked.push(request.url());
    });
    await page.getByRole('searchbox').fill('Copy 099998');
    await page.getByText('1 person').waitFor();
    await page.getByRole('row').filter({ hasText: 'Copy 099998' }).waitFor();
    expect(asked).toHaveLength(1);
    await page.getByRole('searchbox').fill('');
    await page.getByText('more than 10,000 people').waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Property').fill('title');
    await page.getByLabel('Value').fill('VP');
    asked.splice(0);
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('1,001 people').waitFor();
    expect(asked).toHaveLength(1);
  });
});
