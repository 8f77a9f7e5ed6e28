import type { Role } from '../../src/domain/actor/roles.js';
import type { Client } from '../support/hub.js';
import { PASSWORD } from '../support/sign-in.js';
import { type OAuthGround, postForm, type TokenBody } from './oauth.fixture.js';

interface DeviceStart {
  readonly verification_uri_complete: string;
  readonly device_code: string;
}

/** A person with an account who approves programs: by their session, without a key. */
export function personCases(ground: () => OAuthGround): void {
  let acme: Client;
  let count = 0;
  beforeEach(async () => {
    acme = await ground().hub.workspace();
  });

  const begin = async () =>
    (
      await postForm<DeviceStart>(ground(), '/oauth/device_authorization', {
        client_id: 'rapport-cli',
        scope: 'read write settings',
      })
    ).body;
  const collect = ({ device_code }: DeviceStart) =>
    postForm<TokenBody>(ground(), '/oauth/token', {
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      client_id: 'rapport-cli',
      device_code,
    });
  const join = async (role: Role, client = acme, email = `person${count++}@people.example`) => {
    const { body } = await client.post<{ token: string }>('/v2/workspace/invitations', { email, role });
    const browser = ground().person();
    const accept = { name: 'Ada Lovelace', password: PASSWORD };
    const joined = await browser.send<{ user: { id: string } }>(
      'POST',
      `/auth/invitations/${body.token}/accept`,
      accept,
    );
    return { browser, email, id: joined.body.user.id };
  };

  it('decides at once, and the key names the person who approved it', async () => {
    const { browser, id, email } = await join('admin');
    const device = await begin();
    const opened = await browser.openApproval(device.verification_uri_complete);
    expect(opened.body).toMatchObject({
      program: { name: 'Rapport CLI' },
      scopes: [
        { scope: 'read', preselected: true },
        { scope: 'write', preselected: true },
        { scope: 'settings', preselected: false },
      ],
      user: { id, name: 'Ada Lovelace', email },
      workspaces: [{ id: acme.workspaceId, name: 'Acme', scopes: ['read', 'write', 'settings', 'admin'] }],
    });
    const done = await browser.approve(opened);
    expect([done.status, done.body]).toEqual([200, { approved: true, redirect_to: null }]);
    const { status, body } = await collect(device);
    expect([status, body.scope]).toEqual([200, 'read write']);
    expect(await ground().statusWith(body.access_token)).toBe(200);
    const { api_keys } = (await acme.get<{ api_keys: { id: string; created_by: object }[] }>('/v2/api-keys')).body;
    expect(api_keys.find(key => key.id === body.key_id)!.created_by).toEqual({ kind: 'person', id });
    const { events } = (await acme.get<{ events: { action: string; actor: object }[] }>('/v2/workspace/audit')).body;
    expect(events.find(({ action }) => action === 'sign_in.approve')!.actor).toEqual({ kind: 'person', id });
  });

  it('chooses a workspace where there are several, and no other one', async () => {
    const { browser, email } = await join('owner');
    const beta = await ground().hub.workspace();
    const { body } = await beta.post<{ token: string }>('/v2/workspace/invitations', { email, role: 'admin' });
    await browser.send('POST', `/auth/invitations/${body.token}/accept`, { password: PASSWORD });
    const foreign = await ground().hub.workspace();
    const device = await begin();
    const opened = await browser.openApproval(device.verification_uri_complete);
    const offered = opened.body.workspaces.map(({ id }) => id);
    expect(offered.toSorted()).toEqual([acme.workspaceId, beta.workspaceId].toSorted());
    for (const workspace of [foreign.workspaceId, undefined]) {
      const wrong = await browser.approve(opened, { workspace });
      expect([wrong.status, wrong.body.details]).toEqual([
        400,
        [{ field: 'workspace', message: expect.stringContaining('Choose one of your workspaces') }],
      ]);
    }
    await browser.approve(opened, { workspace: beta.workspaceId });
    expect((await collect(device)).body).toMatchObject({ workspace_id: beta.workspaceId });
  });

  it.each(['member', 'viewer'] as const)('approves nothing as a %s, and may use a key', async role => {
    const { browser } = await join(role);
    const device = await begin();
    const opened = await browser.openApproval(device.verification_uri_complete);
    expect(opened.body).toMatchObject({ user: { name: 'Ada Lovelace' }, workspaces: [] });
    const chosen = await browser.approve(opened, { workspace: acme.workspaceId, scopes: ['read'] });
    expect(chosen.status).toBe(400);
    await browser.approveByKey(device.verification_uri_complete, acme.key);
    expect((await collect(device)).status).toBe(200);
  });

  it('approves nothing after signing out, by the page of somebody else, or with a role that was taken', async () => {
    const { browser } = await join('owner');
    const other = await join('admin');
    const device = await begin();
    const opened = await browser.openApproval(device.verification_uri_complete);
    // The page of one person with the session of another one, in a browser that has both.
    await browser.send('POST', '/auth/sign-in', { email: other.email, password: PASSWORD });
    const stolen = await browser.approve(opened);
    expect([stolen.status, stolen.body.detail]).toEqual([401, expect.stringContaining('session has ended')]);
    const own = await other.browser.openApproval(device.verification_uri_complete);
    await acme.patch(`/v2/workspace/members/${other.id}`, { role: 'member' });
    const demoted = await other.browser.approve(own);
    expect(demoted.status).toBe(400);
    await acme.patch(`/v2/workspace/members/${other.id}`, { role: 'admin' });
    const again = await other.browser.openApproval(device.verification_uri_complete);
    await other.browser.send('POST', '/auth/sign-out', {});
    expect((await other.browser.approve(again)).status).toBe(401);
    expect((await collect(device)).body.error).toBe('authorization_pending');
  });

  it('cannot hand out a key once the role is gone between the approval and the exchange', async () => {
    const { browser, id } = await join('admin');
    const device = await begin();
    await browser.approve(await browser.openApproval(device.verification_uri_complete));
    await acme.patch(`/v2/workspace/members/${id}`, { role: 'viewer' });
    const { status, body } = await collect(device);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });
}
