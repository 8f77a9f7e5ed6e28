import { PLUGINS_DIR } from '../plugins/crm/crm-client.ts';
import { describeInBrowser } from '../support/browser/chromium.js';
import { setUpStage } from '../support/browser/stage.js';

const client = { client_id: 'rapport', client_secret: 'secret-of-the-operator' };

describeInBrowser('sign-in at a CRM', () => {
  const stage = setUpStage({
    settings: { PLUGINS_DIR, OAUTH_CLIENTS: JSON.stringify({ 'crm:salesforce': client }) },
  });

  it('begins with a link to the provider that the operator has set up, or to its sandbox', async () => {
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/integrations?open=crm`);
    const dialog = page.getByRole('dialog', { name: 'CRM sync' });
    await dialog.getByText('Signing in at HubSpot is not set up', { exact: false }).waitFor();
    const form = dialog.locator('form', { hasText: 'Connect by signing in at Salesforce' });
    await form.getByLabel('Salesforce login').selectOption('test');
    await form.scrollIntoViewIfNeeded();
    await stage.view.takePicture('sign-in-at-provider');
    await form.getByRole('button', { name: 'Connect by signing in at Salesforce' }).click();
    const link = dialog.getByRole('link', { name: 'Sign in at Salesforce' });
    await link.waitFor();
    await stage.view.takePicture('sign-in-at-provider-link');
    const address = new URL((await link.getAttribute('href'))!);
    // PUBLIC_URL has another port than the hub under test.
    await page.goto(address.pathname);
    await page.getByRole('heading', { name: 'Connect Salesforce to Acme?' }).waitFor();
    const { rows } = await stage.hub.database.pool.query<{ settings: object }>(
      'SELECT settings FROM provider_authorizations WHERE workspace_id = $1',
      [stage.workspace.workspaceId],
    );
    expect(rows).toMatchObject([{ settings: { provider: 'salesforce', salesforce_login: 'test' } }]);
  });

  it('is done again where the provider has taken the access back', async () => {
    const { page } = stage.view;
    const { workspaceId } = stage.workspace;
    // What a sign-in leaves, and the provider has ended since: tokens that nobody reads any more.
    const { rows: connections } = await stage.hub.database.pool.query<{ id: string }>(
      `INSERT INTO connections (id, workspace_id, plugin, slot, name, state, settings, credentials, tokens, plugin_version,
         webhook_secrets, webhook_token_hash, due_at, last_error)
       VALUES (gen_random_uuid(), $1, 'crm', '', 'CRM sync', 'reconnect', '{"provider": "salesforce"}', '{}', '{}', '0.1.0',
         '{}', '', 'infinity', 'The refresh token has expired.') RETURNING id`,
      [workspaceId],
    );
    await page.goto(`/w/${workspaceId}/integrations?open=crm`);
    const dialog = page.getByRole('dialog', { name: 'CRM sync' });
    await dialog.getByRole('button', { name: 'Connect by signing in at Salesforce' }).click();
    await dialog.getByRole('link', { name: 'Sign in at Salesforce' }).waitFor();
    await stage.view.takePicture('sign-in-again');
    const { rows } = await stage.hub.database.pool.query(
      'SELECT connection_id AS id, settings FROM provider_authorizations WHERE workspace_id = $1',
      [workspaceId],
    );
    expect(rows).toEqual([{ id: connections[0]!.id, settings: { provider: 'salesforce' } }]);
  });
});
