import type { Page } from 'playwright-core';
import { describeInBrowser } from '../support/browser/chromium.js';
import { setUpStage } from '../support/browser/stage.js';
import { PASSWORD } from '../support/sign-in.js';

/** Gives the device of a page an authenticator with a fingerprint reader. @returns how the person touches it from then on */
async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return (isRightFinger: boolean) =>
    session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isRightFinger });
}

describeInBrowser('a passkey', () => {
  const stage = setUpStage();

  it('is added in the profile, signs in, and is removed', async () => {
    const { page } = stage.view;
    const touchWith = await addAuthenticator(page);
    await page.goto(`/w/${stage.workspace.workspaceId}/settings/profile`);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Olga’s laptop');
    await dialog.getByLabel('Password').fill('another password');
    await dialog.getByRole('button', { name: 'Continue' }).click();
    await dialog.getByText('This is not your current password.').waitFor();
    expect(stage.view.takeComplaints()).toEqual([expect.stringContaining('401')]);
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const row = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
    await row.getByText('Olga’s laptop').waitFor();
    await row.getByText('not used yet', { exact: false }).waitFor();

    await page.getByRole('button', { name: 'Olga Owner' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    const button = page.getByRole('button', { name: 'Use a passkey' });
    await touchWith(false);
    await button.click();
    await page.getByText('No passkey was used.', { exact: false }).waitFor();
    await touchWith(true);
    await button.click();
    await page.getByRole('heading', { name: 'Attention' }).waitFor();

    await page.goto(`/w/${stage.workspace.workspaceId}/settings/profile`);
    await row.getByText(/· used /).waitFor();
    await row.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Delete it on your device as well.', { exact: false }).waitFor();
    await row.waitFor({ state: 'detached' });
  });
});
