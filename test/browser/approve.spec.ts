import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHash, randomBytes } from 'node:crypto';
import { describeInBrowser } from '../support/browser/chromium.js';
import { ConsolePage } from '../support/browser/console-page.js';
import { setUpStage } from '../support/browser/stage.js';
import { PASSWORD } from '../support/sign-in.js';

describeInBrowser('the approval page', () => {
  const stage = setUpStage();
  const postForm = async (path: string, fields: Record<string, string>) => {
    const response = await fetch(stage.hub.url + path, { method: 'POST', body: new URLSearchParams(fields) });
    return (await response.json()) as Record<string, string>;
  };
  const startDevice = () =>
    postForm('/oauth/device_authorization', { client_id: 'rapport-cli', scope: 'read write', device_name: 'laptop' });
  const collect = (device_code: string) =>
    postForm('/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'rapport-cli',
      device_code,
    });

  describe('for an agent that opened the browser', () => {
    let agent: Server;
    let callback: string;
    const callbacks: URLSearchParams[] = [];
    beforeAll(async () => {
      agent = createServer((request, response) => {
        const { pathname, searchParams } = new URL(request.url!, callback);
        if (pathname === '/callback') callbacks.push(searchParams);
        response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Agent</title><h1>The agent has it</h1>');
      });
      await new Promise<void>(resolve => agent.listen(0, '127.0.0.1', resolve));
      callback = `http://127.0.0.1:${(agent.address() as AddressInfo).port}/callback`;
    });
    beforeEach(() => callbacks.splice(0));
    afterAll(() => new Promise(resolve => agent.close(resolve)));

    const startCode = async () => {
      const registered = await fetch(`${stage.hub.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ client_name: '<b>Research</b> agent', redirect_uris: [callback] }),
      });
      const { client_id } = (await registered.json()) as { client_id: string };
      const verifier = randomBytes(32).toString('base64url');
      const query = new URLSearchParams({
        response_type: 'code',
        client_id,
        redirect_uri: callback,
        state: 'its state',
        scope: 'read write',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      });
      return { client_id, verifier, address: `/oauth/authorize?${query}` };
    };

    it('names the program, grants what is selected, and leads back to it', async () => {
      const { client_id, verifier, address } = await startCode();
      const { page } = stage.view;
      await page.goto(address);
      await page.getByRole('heading', { name: 'Approve <b>Research</b> agent for Acme?' }).waitFor();
      await page.getByText('Nobody: the program chose this name itself').waitFor();
      await page.getByText('a program on your machine (127.0.0.1', { exact: false }).waitFor();
      expect(await page.getByRole('checkbox', { name: /^Settings/ }).isChecked()).toBe(false);
      expect(await stage.view.findBarriers()).toEqual([]);
      await stage.view.takePicture('approve-agent');
      await page.getByRole('checkbox', { name: /^Write/ }).uncheck();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByRole('heading', { name: 'The agent has it' }).waitFor();
      expect(Object.fromEntries(callbacks[0]!)).toEqual({
        code: expect.any(String),
        state: 'its state',
        iss: stage.hub.url,
      });
      const token = await postForm('/oauth/token', {
        grant_type: 'authorization_code',
        client_id,
        redirect_uri: callback,
        code: callbacks[0]!.get('code')!,
        code_verifier: verifier,
      });
      expect(token).toMatchObject({ scope: 'read', workspace_id: stage.workspace.workspaceId });
      expect(stage.view.takeComplaints()).toEqual([expect.stringContaining(`request to ${callback}`)]);
    });

    it('asks for a permission, and tells the program of a denial', async () => {
      const { address } = await startCode();
      const { page } = stage.view;
      await page.goto(address);
      for (const name of [/^Read/, /^Write/]) await page.getByRole('checkbox', { name }).uncheck();
      await page.getByRole('button', { name: 'Approve' }).click();
      await page.getByText('Select at least one permission', { exact: false }).waitFor();
      expect(stage.view.takeComplaints()).toHaveLength(1);
      await page.getByRole('button', { name: 'Deny' }).click();
      await page.getByRole('heading', { name: 'The agent has it' }).waitFor();
      expect(callbacks[0]!.get('error')).toBe('access_denied');
      expect(stage.view.takeComplaints()).toEqual([expect.stringContaining(`request to ${callback}`)]);
    });
  });

  it('leads to the sign-in and back, by the keyboard', async () => {
    const { verification_uri_complete, device_code } = await startDevice();
    const other = await ConsolePage.open(stage.browser, stage.hub.url);
    await other.page.goto(verification_uri_complete!);
    await other.page.getByRole('link', { name: 'Sign in with your account' }).press('Enter');
    await other.page.getByLabel('E-mail address').fill(stage.email);
    await other.page.getByLabel('Password').fill(PASSWORD);
    await other.page.getByLabel('Password').press('Enter');
    await other.page.getByRole('heading', { name: 'Approve Rapport CLI (laptop) for Acme?' }).waitFor();
    expect(await other.findBarriers()).toEqual([]);
    await other.page.getByRole('button', { name: 'Approve' }).press('Enter');
    await other.page.getByRole('heading', { name: 'Rapport CLI (laptop) is approved' }).waitFor();
    expect(await collect(device_code!)).toMatchObject({
      scope: 'read write',
      workspace_id: stage.workspace.workspaceId,
    });
    expect(other.takeComplaints()).toEqual([]);
    await other.close();
  });

  it('takes a typed code and an API key from somebody without an account', async () => {
    const { user_code, device_code } = await startDevice();
    const other = await ConsolePage.open(stage.browser, stage.hub.url);
    await other.page.goto('/approve');
    await other.page.getByLabel('Code').fill('BBBB-BBBB');
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByText('No sign-in is waiting for this code.', { exact: false }).waitFor();
    expect(await other.findBarriers()).toEqual([]);
    expect(other.takeComplaints()).toHaveLength(1);
    await other.page.getByLabel('Code').fill(user_code!.toLowerCase());
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByRole('heading', { name: 'Rapport CLI (laptop) requests access' }).waitFor();
    await other.page.getByText(user_code!, { exact: true }).waitFor();
    await other.page.getByText('Use an API key instead').click();
    await other.page.getByLabel('An API key of the workspace').fill('rap_live_wrong');
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByText('This key is not valid', { exact: false }).waitFor();
    expect(await other.findBarriers()).toEqual([]);
    expect(other.takeComplaints()).toHaveLength(1);
    await other.takePicture('approve-key');
    await other.page.getByLabel('An API key of the workspace').fill(stage.workspace.key);
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByRole('heading', { name: 'Approve Rapport CLI (laptop) for Acme?' }).waitFor();
    await other.page.getByRole('button', { name: 'Approve' }).click();
    await other.page.getByRole('heading', { name: 'Rapport CLI (laptop) is approved' }).waitFor();
    expect(await collect(device_code!)).toMatchObject({ scope: 'read write' });
    expect(other.takeComplaints()).toEqual([]);
    await other.close();
  });

  it('says what was refused, where a key was revoked or a role taken meanwhile', async () => {
    const { verification_uri_complete, device_code } = await startDevice();
    const made = await stage.workspace.post<{ id: string; key: string }>('/v2/api-keys', {
      name: 'short',
      scopes: ['read', 'admin'],
    });
    const other = await ConsolePage.open(stage.browser, stage.hub.url);
    await other.page.goto(verification_uri_complete!);
    await other.page.getByText('Use an API key instead').click();
    await other.page.getByLabel('An API key of the workspace').fill(made.body.key);
    await other.page.getByRole('button', { name: 'Continue' }).click();
    await other.page.getByText('You decide with the key “short”', { exact: false }).waitFor();
    await stage.workspace.delete(`/v2/api-keys/${made.body.id}`);
    await other.page.getByRole('button', { name: 'Approve' }).click();
    await other.page.getByText('This key is not valid', { exact: false }).waitFor({ timeout: 5_000 });
    expect(other.takeComplaints()).toHaveLength(1);
    await other.close();

    const { body } = await stage.workspace.post<{ link: string }>('/v2/workspace/invitations', {
      email: 'ada@people.example',
      role: 'admin',
    });
    const admin = await ConsolePage.open(stage.browser, stage.hub.url);
    await admin.page.goto(body.link);
    await admin.page.getByLabel('Your name').fill('Ada Admin');
    await admin.page.getByLabel('Password').fill(PASSWORD);
    await admin.page.getByRole('button', { name: 'Accept the invitation' }).click();
    await admin.page.getByRole('heading', { name: 'Attention' }).waitFor();
    await admin.page.goto(verification_uri_complete!);
    await admin.page.getByRole('heading', { name: 'Approve Rapport CLI (laptop) for Acme?' }).waitFor();
    const { members } = (
      await stage.workspace.get<{ members: { user_id: string; email: string }[] }>('/v2/workspace/members')
    ).body;
    const { user_id } = members.find(({ email }) => email === 'ada@people.example')!;
    await stage.workspace.patch(`/v2/workspace/members/${user_id}`, { role: 'member' });
    await admin.page.getByRole('button', { name: 'Approve' }).click();
    await admin.page.getByText('in which you are owner or admin', { exact: false }).waitFor({ timeout: 5_000 });
    expect(await admin.findBarriers()).toEqual([]);
    expect(admin.takeComplaints()).toHaveLength(1);
    expect(await collect(device_code!)).toMatchObject({ error: 'authorization_pending' });
    await admin.close();
  });

  it('makes a person with several workspaces choose one, and says when a request is gone', async () => {
    const beta = await stage.hub.workspace('growth');
    const { body } = await beta.post<{ link: string }>('/v2/workspace/invitations', {
      email: stage.email,
      role: 'admin',
    });
    const { page } = stage.view;
    await page.goto(body.link);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Accept the invitation' }).click();
    await page.getByRole('heading', { name: 'Attention' }).waitFor();
    const { verification_uri_complete, device_code } = await startDevice();
    await page.goto(verification_uri_complete!);
    await page.getByRole('heading', { name: 'Approve Rapport CLI (laptop)?' }).waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
    await page.getByLabel('Workspace', { exact: true }).selectOption(beta.workspaceId);
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('heading', { name: 'Rapport CLI (laptop) is approved' }).waitFor();
    expect(await collect(device_code!)).toMatchObject({ workspace_id: beta.workspaceId });
    expect(stage.view.takeComplaints()).toEqual([]);
    await page.goto(`/approve?ticket=${'x'.repeat(60)}`);
    await page.getByRole('heading', { name: 'Request expired' }).waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
    expect(stage.view.takeComplaints()).toHaveLength(1);
  });
});
