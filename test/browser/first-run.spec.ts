import { describeInBrowser } from '../support/browser/chromium.js';
import { signUpOwner } from '../support/browser/sign-up.js';
import { setUpStage } from '../support/browser/stage.js';
import { PASSWORD } from '../support/sign-in.js';

describeInBrowser('the first run', () => {
  const stage = setUpStage({ signedIn: false });

  it('leads from the setup address to the first fact on an account', async () => {
    const { page } = stage.view;
    await page.goto(await stage.hub.setupAddress(stage.workspace));
    await page.getByLabel('Name of the workspace').fill('Coralline Sales');
    await page.getByLabel('Your name').fill('Olga Owner');
    await page.getByLabel('E-mail address').fill('olga@people.example');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { name: 'Attention' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Main' }).innerText()).toContain('Coralline Sales');
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'Nobody is here yet' }).waitFor();
    await page.getByLabel('E-mail address').fill('ada@engine.example');
    await page.getByLabel('Name').fill('Ada Lovelace');
    await page.getByLabel('Title').fill('VP Sales');
    await page.getByRole('button', { name: 'Record' }).click();
    await page.getByRole('row').filter({ hasText: 'Ada Lovelace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Ada Lovelace' }).waitFor();
    await page.getByRole('button', { name: /title.*VP Sales/ }).click();
    const evidence = page.getByRole('region', { name: 'Evidence: title' });
    await evidence.getByText('“VP Sales” holds', { exact: false }).waitFor();
    expect(await evidence.innerText()).toContain('person:');
  });

  it('offers sample data, which one click removes and another brings back', async () => {
    const { page } = stage.view;
    await signUpOwner(stage.view, stage.hub, stage.workspace);
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Load sample data' }).click();
    await page.getByText('10 invented people and 3 companies are here.').waitFor();
    await page.getByRole('row').filter({ hasText: 'Mara Lindqvist' }).waitFor();
    await page.getByRole('link', { name: 'Attention' }).click();
    await page
      .getByRole('link', { name: /Mara Lindqvist/ })
      .first()
      .waitFor();
    await page.getByText('This workspace has sample data').waitFor();
    await page.getByRole('button', { name: 'Remove sample data' }).click();
    await page.getByText('13 accounts of the sample data are removed.').waitFor();
    await page.getByRole('heading', { name: 'Nothing needs you now' }).waitFor();
    expect(await page.getByText('This workspace has sample data').count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('This workspace has sample data').waitFor();
    await page.goto(`/w/${stage.workspace.workspaceId}/settings/workspace`);
    await page.getByRole('button', { name: 'Remove sample data' }).click();
    await page.getByRole('button', { name: 'Load sample data' }).waitFor();
  });

  it('can be walked without a mouse', async () => {
    const { page } = stage.view;
    await page.goto(await stage.hub.setupAddress(stage.workspace));
    await page.getByLabel('Name of the workspace').focus();
    for (const text of ['Keys Only', 'Kim Keys', 'kim@people.example', PASSWORD]) {
      await page.keyboard.press('Control+a');
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Attention' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('p');
    await page.getByRole('heading', { name: 'Nobody is here yet' }).waitFor();
    await page.getByLabel('E-mail address').focus();
    for (const text of ['ada@keys.example', 'Ada Keys', 'CTO']) {
      await page.keyboard.type(text);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByRole('row').filter({ hasText: 'Ada Keys' }).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Ada Keys' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.keyboard.type('Ada K');
    await page.getByRole('option', { name: /Ada Keys/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.getByRole('heading', { name: 'Members' }).waitFor();
  });

  it('takes a key that follows at once on the one that closes a dialog', async () => {
    const { page } = stage.view;
    await signUpOwner(stage.view, stage.hub, stage.workspace);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').waitFor();
    await page.evaluate(`(() => {
      document.querySelector('dialog').close();
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: '?', bubbles: true }));
    })()`);
    await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  });

  it('says when a setup address was used, and leads to the sign-in', async () => {
    const { page } = stage.view;
    await page.goto(`${stage.hub.url}/setup/no-such-code`);
    await page.getByRole('heading', { name: 'This address does not work any more' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Sign in to Rapport' }).waitFor();
    // The browser notes the status 404 of the hub by itself.
    expect(stage.view.takeComplaints()).toEqual([expect.stringContaining('404')]);
  });
});
