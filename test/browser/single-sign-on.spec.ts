import { describeInBrowser } from '../support/browser/chromium.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { setUpStage } from '../support/browser/stage.js';
import { OidcTestProvider } from '../support/oidc-provider.js';
import { PASSWORD } from '../support/sign-in.js';

describeInBrowser('single sign-on', () => {
  let provider: OidcTestProvider;
  const stage = setUpStage({
    settings: async publicUrl => {
      provider = await OidcTestProvider.start({ publicUrl });
      return provider.settings;
    },
  });
  afterAll(() => provider?.end());

  /** Expects that the page sent requests to the provider, and that nothing else happened that should not. */
  function expectVisit(view: ConsolePage): void {
    const complaints = view.takeComplaints();
    expect(complaints).not.toEqual([]);
    for (const each of complaints) expect(each).toContain(`request to ${provider.issuer}/`);
  }

  it('is connected in the profile, signs in, and is disconnected', async () => {
    const { view } = stage;
    const { page } = view;
    const profile = `/w/${stage.workspace.workspaceId}/settings/profile`;
    await page.goto(profile);
    await page.getByText('Not connected.', { exact: false }).waitFor();
    await view.takePicture('profile with single sign-on');
    provider.person = { sub: 'olga', email: stage.email };
    await page.getByRole('button', { name: 'Connect' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Connected. You sign in there', { exact: false }).waitFor();
    expectVisit(view);

    await page.getByRole('button', { name: 'Olga Owner' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Continue with Acme SSO' }).waitFor();
    expect(await view.findBarriers()).toEqual([]);
    await view.takePicture('sign-in with single sign-on');
    await page.getByRole('button', { name: 'Continue with Acme SSO' }).click();
    await page.getByRole('heading', { name: 'Attention' }).waitFor();
    expectVisit(view);

    await page.goto(profile);
    await page.getByRole('button', { name: 'Disconnect' }).click();
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Disconnect' }).click();
    await page.getByText('Not connected.', { exact: false }).waitFor();
  });

  it('accepts an invitation, and leaves a person without a password', async () => {
    const email = 'grace@people.example';
    const { body } = await stage.workspace.post<{ token: string }>('/v2/workspace/invitations', {
      email,
      role: 'member',
    });
    const view = await ConsolePage.open(stage.browser, stage.hub.url);
    const { page } = view;
    provider.person = { sub: 'grace', email, name: 'Grace Hopper' };
    await page.goto(`/invite/${body.token}`);
    await page.getByRole('button', { name: 'Accept with Acme SSO' }).waitFor();
    await view.takePicture('invitation with single sign-on');
    await page.getByRole('button', { name: 'Accept with Acme SSO' }).click();
    await page.getByRole('heading', { name: 'Attention' }).waitFor();
    await page.getByRole('button', { name: 'Grace Hopper' }).waitFor();
    await page.goto(`/w/${stage.workspace.workspaceId}/settings/profile`);
    await page.getByText('You sign in with Acme SSO only.', { exact: false }).waitFor();
    expect(await page.getByRole('button', { name: 'Change password' }).count()).toBe(0);
    expectVisit(view);
    await view.close();
  });

  it('that is cancelled says so on the sign-in page', async () => {
    const view = await ConsolePage.open(stage.browser, stage.hub.url);
    provider.person = null;
    await view.page.goto('/sign-in');
    await view.page.getByRole('button', { name: 'Continue with Acme SSO' }).click();
    await view.page.getByText('The sign-in at the provider was cancelled', { exact: false }).waitFor();
    await view.takePicture('sign-in with a refused single sign-on');
    expectVisit(view);
    await view.close();
  });
});
