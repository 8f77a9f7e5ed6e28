import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { describeInBrowser, launchBrowser } from '../support/browser/chromium.js';
import { type ConsoleHub, startConsoleHub } from '../support/browser/console-hub.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { signUpOwner } from '../support/browser/sign-up.js';
import type { Client } from '../support/hub.js';

const PEOPLE = 1_000;

describeInBrowser('a list', () => {
  let browser: Browser;
  let hub: ConsoleHub;
  let acme: Client;
  let view: ConsolePage;

  beforeAll(async () => {
    [browser, hub] = await Promise.all([launchBrowser(), startConsoleHub()]);
    acme = await hub.workspace();
    const numbers = Array.from({ length: PEOPLE }, (_, index) => String(index).padStart(4, '0'));
    const record = (number: string) =>
      acme.post('/v2/observations', {
        focus: `p${number}@many.example`,
        observations: [
          { kind: 'state', property: 'name', value: `Person ${number}` },
          { kind: 'state', property: 'title', value: Number(number) % 4 === 0 ? 'VP Sales' : 'Engineer' },
        ],
      });
    for (let start = 0; start < PEOPLE; start += 50) await Promise.all(numbers.slice(start, start + 50).map(record));
    view = await ConsolePage.open(browser, hub.url, { viewport: { width: 1440, height: 900 } });
    await signUpOwner(view, hub, acme);
  });
  afterAll(async () => {
    await view?.close();
    await browser?.close();
    await hub?.end();
  });
  afterEach(() => expect(view.takeComplaints()).toEqual([]));

  it('is scrolled through without asking for a page twice, and with few nodes', async () => {
    const { page } = view;
    const asked: string[] = [];
    page.on('request', request => {
      const { pathname, searchParams } = new URL(request.url());
      if (pathname === '/v2/people') asked.push(searchParams.get('cursor') ?? 'first');
    });
    await page.goto(`/w/${acme.workspaceId}/people?sort=name`);
    await page.getByText('1,000 people').waitFor();
    const grid = page.getByRole('grid');
    expect(await grid.getAttribute('aria-rowcount')).toBe(String(PEOPLE + 1));
    await grid.focus();
    for (let loaded = 100; loaded <= PEOPLE; loaded += 100) {
      await page.locator('[role=grid][aria-busy=false]').waitFor();
      await page.keyboard.press('End');
      await page
        .getByRole('row')
        .filter({ hasText: `Person ${String(loaded - 1).padStart(4, '0')}` })
        .waitFor();
    }
    expect(asked).toHaveLength(PEOPLE / 100);
    expect(new Set(asked).size).toBe(asked.length);
    expect(await view.countNodes()).toBeLessThan(3_000);
    const last = page.getByRole('row').filter({ hasText: 'Person 0999' });
    expect(await last.getAttribute('aria-rowindex')).toBe(String(PEOPLE + 1));
    expect(await last.getAttribute('aria-selected')).toBe('true');
    await page.keyboard.press('Home');
    await page.getByRole('row').filter({ hasText: 'Person 0000' }).waitFor();
    expect(asked).toHaveLength(PEOPLE / 100);
  });

  it('is filtered by sentences, sorted and searched, and its address is its state', async () => {
    const { page } = view;
    await page.goto(`/w/${acme.workspaceId}/people`);
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Property').fill('title');
    await page.getByLabel('Value').fill('VP');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByText('250 people').waitFor();
    await page.getByText('title contains “VP”').waitFor();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click();
    await page.getByRole('row').nth(1).filter({ hasText: 'Person 0996' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'Name' }).getAttribute('aria-sort')).toBe('descending');
    const tab = await view.openTab();
    await tab.page.goto(page.url());
    await tab.page.getByText('250 people').waitFor();
    await tab.page.getByRole('row').nth(1).filter({ hasText: 'Person 0996' }).waitFor();
    await tab.page.close();
    await page.getByRole('button', { name: 'Sorted by name, descending' }).click();
    await page.getByLabel('Property').fill('title');
    await page.getByText('Job title. For example:').waitFor();
    await page.getByLabel('Sort by').selectOption('how sure it is');
    await page.getByLabel('Order').selectOption('surest first');
    await page.getByRole('button', { name: 'Sort', exact: true }).click();
    await page.getByRole('button', { name: 'Sorted by title, surest first' }).waitFor();
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-title.confidence');
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('/');
    await page.getByRole('searchbox').fill('0488');
    await page.getByText('1 person').waitFor();
    await page.getByRole('searchbox').fill('nobody at all');
    await page.getByRole('heading', { name: 'Nothing matches' }).waitFor();
    await page.getByRole('button', { name: 'Remove all conditions' }).click();
    await page.getByText('1,000 people').waitFor();
  });

  it('is ticked by keys, and what is ticked goes to a lead list and into a file', async () => {
    const { page } = view;
    await page.goto(`/w/${acme.workspaceId}/people?sort=name`);
    const rowOf = (number: string) => page.getByRole('row').filter({ hasText: `Person ${number}` });
    await rowOf('0003').waitFor();
    await page.getByRole('grid').focus();
    for (const key of ['j', 'x', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
    await page.getByText('3 rows are ticked').waitFor();
    expect(await rowOf('0002').getAttribute('aria-selected')).toBe('true');
    expect(await rowOf('0000').getAttribute('aria-selected')).toBe('false');
    await rowOf('0002').getByRole('checkbox').click();
    await page.getByText('2 rows are ticked').waitFor();
    expect(await view.findBarriers()).toEqual([]);
    await view.takePicture('ticked');

    const [ticked] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export the ticked rows' }).click(),
    ]);
    const lines = (await readFile(await ticked.path(), 'utf8')).trim().split(/\r?\n/);
    expect(ticked.suggestedFilename()).toBe('people.csv');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toContain('name');
    expect(lines[1]).toContain('Person 0001');
    expect(lines[2]).toContain('Person 0003');

    await page.getByRole('button', { name: 'Add to a lead list' }).click();
    await page.getByLabel('Name of a new list').fill('Autumn');
    expect(await view.findBarriers()).toEqual([]);
    await page.getByRole('button', { name: 'Create and add' }).click();
    await page.getByText('2 people are now in Autumn.').waitFor();
    expect(await page.getByRole('group', { name: 'Ticked rows' }).count()).toBe(0);
    const { body } = await acme.get<{ leads: { name: string; list_name: string }[] }>('/v2/leads?sort=name');
    expect(body.leads.map(({ name, list_name }) => [name, list_name])).toEqual([
      ['Person 0001', 'Autumn'],
      ['Person 0003', 'Autumn'],
    ]);

    await rowOf('0001').getByRole('checkbox').click();
    await rowOf('0004').getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Add to a lead list' }).click();
    await page.getByRole('button', { name: 'Autumn 2' }).click();
    await page.getByText('1 person is now in Autumn. 1 was there already.').waitFor();
  });

  it('is exported as it is filtered, with the columns that are shown', async () => {
    const { page } = view;
    const chips = JSON.stringify([{ property: 'title', condition: 'contains', value: 'VP' }]);
    await page.goto(`/w/${acme.workspaceId}/people?sort=name&columns=name,title&chips=${encodeURIComponent(chips)}`);
    await page.getByText('250 people').waitFor();
    const [all] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export', exact: true }).click(),
    ]);
    const lines = (await readFile(await all.path(), 'utf8')).trim().split(/\r?\n/);
    expect(lines).toHaveLength(251);
    expect(lines[1]).toMatch(/Person 0000,VP Sales$/);
  });

  it('shows a row beside it by Space, which follows the keys', async () => {
    const { page } = view;
    await page.goto(`/w/${acme.workspaceId}/people?sort=name`);
    await page.getByRole('row').filter({ hasText: 'Person 0000' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Space');
    const glance = page.getByRole('complementary', { name: 'At a glance' });
    await glance.getByRole('heading', { name: 'Person 0000' }).waitFor();
    await glance.getByText('VP Sales').waitFor();
    await page.keyboard.press('j');
    await glance.getByRole('heading', { name: 'Person 0001' }).waitFor();
    await glance.getByText('Engineer').waitFor();
    expect(await view.findBarriers()).toEqual([]);
    await view.takePicture('peek');
    await page.keyboard.press('Escape');
    await glance.waitFor({ state: 'detached' });
    await page.keyboard.press('v');
    await page.locator('button:focus', { hasText: 'Everyone' }).waitFor();
    await page.keyboard.press('f');
    await page.getByRole('dialog', { name: 'Filter' }).getByLabel('Property').waitFor();
    await page.keyboard.press('Escape');
  });

  it('loads more rows by a button where a person prefers that', async () => {
    const { page } = view;
    await page.goto(`/w/${acme.workspaceId}/settings/profile`);
    const setting = page.getByLabel('Load more rows by a button, instead of while you scroll');
    await setting.check();
    await page.goto(`/w/${acme.workspaceId}/people?sort=name`);
    await page.getByRole('grid').focus();
    await page.getByText('1,000 people').waitFor();
    await page.keyboard.press('End');
    await page.getByRole('row').filter({ hasText: 'Person 0099' }).waitFor();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.locator('[role=grid][aria-busy=false]').waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('End');
    await page.getByRole('row').filter({ hasText: 'Person 0199' }).waitFor();
    expect(await view.findBarriers()).toEqual([]);
    await page.goto(`/w/${acme.workspaceId}/settings/profile`);
    await setting.uncheck();
  });

  it('is saved as a view with its columns, which is opened, changed, deleted and restored', async () => {
    const { page } = view;
    await page.goto(`/w/${acme.workspaceId}/people?sort=-name`);
    await page.getByText('1,000 people').waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByLabel('Property').fill('title');
    await page.getByLabel('Value').fill('VP');
    await page.getByRole('button', { name: 'Add filter' }).click();
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('checkbox', { name: 'City' }).uncheck();
    await page.getByLabel('Another property').fill('Seniority');
    await page.getByRole('button', { name: 'Add column' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Seniority' }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'City' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Save view' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('All VPs');
    await dialog.getByLabel('Share with everybody').check();
    await dialog.getByRole('button', { name: 'Save view' }).click();
    await page.getByText('The view “All VPs” is saved.').waitFor();
    const tab = page.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'All VPs' });
    expect(await tab.getAttribute('aria-pressed')).toBe('true');

    const { body } = await acme.get<{ views: { query: object; shared: boolean }[] }>('/v2/workspace/views');
    expect(body.views).toMatchObject([
      {
        name: 'All VPs',
        shared: true,
        query: {
          filter: '{"title":{"$contains":"VP"}}',
          sort: '-name',
          fields: 'name,title,company,email,last_activity_at,seniority',
        },
      },
    ]);

    await page.goto(`/w/${acme.workspaceId}/people`);
    await page.getByText('1,000 people').waitFor();
    await tab.click();
    await page.getByText('250 people').waitFor();
    await page.getByRole('columnheader', { name: 'Seniority' }).waitFor();
    await page.getByRole('row').nth(1).filter({ hasText: 'Person 0996' }).waitFor();
    await page.getByRole('button', { name: 'Remove title contains “VP”' }).click();
    await page.getByText('1,000 people').waitFor();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The view “All VPs” is saved.').waitFor();

    await page.getByRole('button', { name: 'Edit view' }).click();
    await dialog.getByLabel('Name').fill('Everybody');
    await dialog.getByRole('button', { name: 'Save changes' }).click();
    await page.getByText('The view “Everybody” is saved.').waitFor();
    await page.getByRole('button', { name: 'Edit view' }).click();
    await dialog.getByRole('button', { name: 'Delete view' }).click();
    await page.getByText('The view “Everybody” is deleted.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('group', { name: 'Views' }).getByRole('button', { name: 'Everybody' }).waitFor();
  });

  it('says what the hub says of a condition that it does not take, and stays usable', async () => {
    const { page } = view;
    const chips = JSON.stringify([{ property: 'last_activity_at', condition: 'contains', value: 'x' }]);
    await page.goto(`/w/${acme.workspaceId}/people?chips=${encodeURIComponent(chips)}`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).toContain('Request');
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page.getByText('1,000 people').waitFor();
    expect(view.takeComplaints()).toEqual([expect.stringContaining('400')]);
  });
});
