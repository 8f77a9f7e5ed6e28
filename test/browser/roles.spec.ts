import { describeInBrowser } from '../support/browser/chromium.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { ANNA, fillSalesGraph } from '../support/browser/sales-graph.js';
import { setUpStage } from '../support/browser/stage.js';
import { PASSWORD } from '../support/sign-in.js';

describeInBrowser('people of a workspace', () => {
  const stage = setUpStage();

  it('invite a viewer, who sees the graph and can change nothing', async () => {
    await fillSalesGraph(stage.workspace);
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/settings/members`);
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite' });
    await dialog.getByLabel('E-mail address').fill('vera@people.example');
    await dialog.getByLabel('Role').selectOption('viewer');
    await dialog.getByRole('button', { name: 'Invite' }).click();
    await dialog.getByText('This link is shown only once.', { exact: false }).waitFor();
    const link = await dialog.getByTitle(/\/invite\//).getAttribute('title');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('cell', { name: 'vera@people.example' }).waitFor();

    const viewer = await ConsolePage.open(stage.browser, stage.hub.url);
    await viewer.page.goto(link!.replace('Copy ', ''));
    await viewer.page.getByRole('heading', { name: 'Join Acme' }).waitFor();
    expect(await viewer.findBarriers()).toEqual([]);
    await viewer.page.getByLabel('Your name').fill('Vera Viewer');
    await viewer.page.getByLabel('Password').fill(PASSWORD);
    await viewer.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await viewer.page.getByRole('heading', { name: 'Attention' }).waitFor();
    await viewer.page.goto(`/w/${stage.workspace.workspaceId}/accounts/${ANNA}?claim=title`);
    const correct = viewer.page.getByRole('button', { name: 'State another value' });
    await correct.waitFor();
    expect(await correct.isDisabled()).toBe(true);
    expect(await correct.getAttribute('title')).toContain('reads only');
    await viewer.page.goto(`/w/${stage.workspace.workspaceId}/settings/members`);
    await viewer.page.getByRole('cell', { name: /Olga Owner/ }).waitFor();
    expect(await viewer.page.getByRole('button', { name: 'Invite' }).isDisabled()).toBe(true);
    expect(await viewer.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(1);
    expect(await viewer.page.getByRole('combobox', { name: 'Role: Olga Owner' }).isDisabled()).toBe(true);
    expect(viewer.takeComplaints()).toEqual([]);

    const forged = await viewer.page.evaluate(async workspace => {
      const headers = {
        'x-rapport-client': 'console',
        'x-rapport-workspace': workspace,
        'content-type': 'application/json',
      };
      const send = async (method: string, path: string, body: object) =>
        (await fetch(path, { method, headers, body: JSON.stringify(body) })).status;
      return [
        await send('POST', '/v2/observations', { focus: 'a@b.example', observations: [] }),
        await send('POST', '/v2/workspace/invitations', { email: 'eve@people.example', role: 'owner' }),
        await send('POST', '/v2/api-keys', { name: 'mine', scopes: ['admin'] }),
      ];
    }, stage.workspace.workspaceId);
    expect(forged).toEqual([403, 403, 403]);
    await viewer.close();
  });

  it('change their own name and password', async () => {
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/settings/profile`);
    await page.getByLabel('Your name').fill('Olga Renamed');
    await page.getByRole('button', { name: 'Save name' }).click();
    await page.getByText('Your name is saved.').waitFor();
    await page.getByRole('button', { name: 'Olga Renamed' }).waitFor();
    await page.getByLabel('Current password').fill('not my password');
    await page.getByLabel('New password').fill('another horse battery');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('This is not your current password.').waitFor();
    expect(stage.view.takeComplaints()).toEqual([expect.stringContaining('401')]);
    expect(await page.getByLabel('New password').inputValue()).toBe('another horse battery');
    await page.getByLabel('Current password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    expect(await page.getByLabel('New password').inputValue()).toBe('');
    const other = await ConsolePage.open(stage.browser, stage.hub.url);
    await other.page.goto('/sign-in');
    await other.page.getByLabel('E-mail address').fill(stage.email);
    await other.page.getByLabel('Password').fill('another horse battery');
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('heading', { name: 'Attention' }).waitFor();
    await other.close();
  });

  it('end a session in one browser, which leaves the other one within five seconds', async () => {
    const other = await ConsolePage.open(stage.browser, stage.hub.url);
    await other.page.goto('/sign-in');
    await other.page.getByLabel('E-mail address').fill(stage.email);
    await other.page.getByLabel('Password').fill(PASSWORD);
    await other.page.getByRole('button', { name: 'Sign in' }).click();
    await other.page.getByRole('heading', { name: 'Attention' }).waitFor();
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/settings/sessions`);
    await page.getByRole('button', { name: 'End', exact: true }).first().click();
    await page.getByText('1 session ended').waitFor();
    await other.page.goto(`/w/${stage.workspace.workspaceId}/people?q=anna`);
    await other.page.getByRole('heading', { name: 'Sign in to Rapport' }).waitFor();
    expect(new URL(other.page.url()).searchParams.get('to')).toBe(`/w/${stage.workspace.workspaceId}/people?q=anna`);
    await other.close();
  });

  it('work in two workspaces in two tabs, and see where they do not belong', async () => {
    const beta = await stage.hub.workspace();
    await beta.post('/v2/observations', {
      focus: 'only@beta.example',
      observations: [{ kind: 'state', property: 'name', value: 'Only Beta' }],
    });
    await fillSalesGraph(stage.workspace);
    await stage.view.page.goto(`/w/${beta.workspaceId}/people`);
    await stage.view.page.getByRole('heading', { name: 'You are not a member of this workspace' }).waitFor();
    const { body } = await beta.post<{ link: string }>('/v2/workspace/invitations', {
      email: stage.email,
      role: 'owner',
    });
    await stage.view.page.goto(body.link);
    await stage.view.page.getByLabel('Password').fill(PASSWORD);
    await stage.view.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await stage.view.page.getByRole('heading', { name: 'Attention' }).waitFor();
    const tab = await stage.view.openTab();
    await stage.view.page.goto(`/w/${stage.workspace.workspaceId}/people`);
    await tab.page.goto(`/w/${beta.workspaceId}/people`);
    await tab.page.getByText('1 person').waitFor();
    await stage.view.page.getByText('32 people').waitFor();
    expect(await tab.page.getByRole('grid').innerText()).toContain('Only Beta');
    expect(tab.takeComplaints()).toEqual([]);
  });

  it('see their own mistakes beside the field', async () => {
    const stranger = await ConsolePage.open(stage.browser, stage.hub.url);
    await stranger.page.goto('/sign-in?to=//evil.example/');
    await stranger.page.getByLabel('E-mail address').fill(stage.email);
    await stranger.page.getByLabel('Password').fill('not the password');
    await stranger.page.getByRole('button', { name: 'Sign in' }).click();
    await stranger.page.getByText('The address and the password do not match.', { exact: false }).waitFor();
    await stranger.page.getByLabel('Password').fill(PASSWORD);
    await stranger.page.getByRole('button', { name: 'Sign in' }).click();
    await stranger.page.getByRole('heading', { name: 'Attention' }).waitFor();
    expect(stranger.page.url()).toContain(stage.hub.url);
    await stranger.close();
  });
});
