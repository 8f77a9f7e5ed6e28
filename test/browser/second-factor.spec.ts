import decodeQR from 'qr/decode.js';
import type { Page } from 'playwright-core';
import { Authenticator } from '../support/authenticator.js';
import { describeInBrowser } from '../support/browser/chromium.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { setUpStage } from '../support/browser/stage.js';
import { PASSWORD } from '../support/sign-in.js';

/** Pixels of a module of the QR code, as the camera of a phone would see it. */
const SCALE = 4;

/** Reads the QR code of the page as an authenticator app does. */
async function scan(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: 'QR code of the second factor' });
  const modules = Number((await code.getAttribute('viewBox'))!.split(' ')[2]);
  const path = (await code.locator('path').getAttribute('d'))!;
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x},${y}`));
  const size = modules * SCALE;
  const data = new Uint8Array(size * size * 3).map((_, i) => {
    const pixel = Math.floor(i / 3);
    const [x, y] = [Math.floor((pixel % size) / SCALE), Math.floor(Math.floor(pixel / size) / SCALE)];
    return dark.has(`${x},${y}`) ? 0 : 255;
  });
  return decodeQR({ width: size, height: size, data });
}

describeInBrowser('a second factor', () => {
  const stage = setUpStage();

  async function openSignIn(): Promise<ConsolePage> {
    const view = await ConsolePage.open(stage.browser, stage.hub.url);
    await view.page.goto('/sign-in');
    await view.page.getByLabel('E-mail address').fill(stage.email);
    await view.page.getByLabel('Password').fill(PASSWORD);
    await view.page.getByRole('button', { name: 'Sign in' }).click();
    return view;
  }

  it('is set up with an app, needed at sign-in, and turned off', async () => {
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/settings/profile`);
    await page.getByRole('button', { name: 'Set up a second factor' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Continue' }).click();
    const app = new Authenticator(await scan(page));
    await dialog.getByRole('textbox', { name: 'Code' }).fill('12345x');
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByText('This code is wrong or was used before.').waitFor();
    expect(stage.view.takeComplaints()).toEqual([expect.stringContaining('401')]);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(app.next());
    await dialog.getByRole('button', { name: 'Turn on' }).click();
    await dialog.getByRole('list', { name: 'Recovery codes' }).waitFor();
    const codes = await dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByText('10 recovery codes are left.').waitFor();

    const other = await openSignIn();
    const code = other.page.getByRole('textbox', { name: 'Code' });
    await code.waitFor();
    expect(await code.evaluate(element => element.matches(':focus'))).toBe(true);
    await code.fill('abcde-fghij');
    await code.press('Enter');
    await other.page.getByText('This code is wrong or was used before.').waitFor();
    await code.fill(app.next());
    await code.press('Enter');
    await other.page.getByRole('heading', { name: 'Attention' }).waitFor();
    expect(other.takeComplaints()).toEqual([expect.stringContaining('401'), expect.stringContaining('401')]);
    await other.page.goto(`/w/${stage.workspace.workspaceId}/settings/members`);
    await other.page.getByText(`${stage.email} · Second factor`).waitFor();
    await other.close();

    await page.getByRole('button', { name: 'Turn off the second factor' }).click();
    await dialog.getByLabel('Password').fill(PASSWORD);
    await dialog.getByRole('textbox', { name: 'Code' }).fill(codes[0]!);
    await dialog.getByRole('button', { name: 'Turn off the second factor' }).click();
    await page.getByText('The second factor is off.').waitFor();
    await page.getByRole('button', { name: 'Set up a second factor' }).waitFor();
    const last = await openSignIn();
    await last.page.getByRole('heading', { name: 'Attention' }).waitFor();
    await last.close();
  });
});
