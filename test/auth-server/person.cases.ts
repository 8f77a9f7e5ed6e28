import type { Role } from '../../src/domain/actor/roles.js';
import type { Client } from '../support/hub.js';
import type { BrowserUser } from '../support/network/browser-user.js';
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
    const { user } = await browser.send<{ user: { id: string } }>(
      `/auth/invitations/${body.token}/accept`,
      accept,
      ground().publicUrl,
    );
    return { browser, email, id: user.id };
  };
  const signOut = (browser: BrowserUser) => browser.send('/auth/sign-out', {}, ground().publicUrl);

  it('decides at once, and the key names the person who approved it', async () => {
    const { browser, id, email } = await join('admin');
    const device = await begin();
    const page = await browser.open(device.verification_uri_complete);
    expect(page.html).toContain('Approve Rapport CLI for Acme?');
    expect(page.html).toContain(`You are signed in as Ada Lovelace (${email}).`);
    expect(Object.keys(page.fields).toSorted()).toEqual(['scope_read', 'scope_write', 'state']);
    const done = await browser.press('approve', page);
    expect([done.status, done.html]).toEqual([200, expect.stringContaining('is approved')]);
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
    await browser.send(`/auth/invitations/${body.token}/accept`, { password: PASSWORD }, ground().publicUrl);
    const foreign = await ground().hub.workspace();
    const device = await begin();
    const choice = await browser.open(device.verification_uri_complete);
    expect(choice.html).toContain('Choose the workspace');
    const wrong = await browser.press('choose', choice, { workspace: foreign.workspaceId });
    expect([wrong.status, wrong.html]).toEqual([400, expect.stringContaining('Choose one of your workspaces')]);
    const page = await browser.press('choose', choice, { workspace: beta.workspaceId });
    await browser.press('approve', page);
    expect((await collect(device)).body).toMatchObject({ workspace_id: beta.workspaceId });
  });

  it('is led to the sign-in and back, where there is no session', async () => {
    const device = await begin();
    const { html } = await ground().person().open(device.verification_uri_complete);
    const { pathname, search } = new URL(device.verification_uri_complete);
    expect(html).toContain(`href="/sign-in?to=${encodeURIComponent(pathname + search)}"`);
  });

  it.each(['member', 'viewer'] as const)('approves nothing as a %s, and may use a key', async role => {
    const { browser } = await join(role);
    const device = await begin();
    const page = await browser.open(device.verification_uri_complete);
    expect(page.html).toContain('may not approve programs');
    const chosen = await browser.press('choose', page, { workspace: acme.workspaceId });
    expect(chosen.status).toBe(400);
    const decided = await browser.press('sign_in', page, { api_key: acme.key });
    await browser.press('approve', decided);
    expect((await collect(device)).status).toBe(200);
  });

  it('approves nothing after signing out, by the page of somebody else, or with a role that was taken', async () => {
    const { browser } = await join('owner');
    const other = await join('admin');
    const device = await begin();
    const page = await browser.open(device.verification_uri_complete);
    // The page of one person with the session of another one, in a browser that has both.
    await browser.send('/auth/sign-in', { email: other.email, password: PASSWORD }, ground().publicUrl);
    const stolen = await browser.press('approve', page);
    expect([stolen.status, stolen.html]).toEqual([400, expect.stringContaining('session has ended')]);
    const own = await other.browser.open(device.verification_uri_complete);
    await acme.patch(`/v2/workspace/members/${other.id}`, { role: 'member' });
    const demoted = await other.browser.press('approve', own);
    expect(demoted.status).toBe(400);
    await acme.patch(`/v2/workspace/members/${other.id}`, { role: 'admin' });
    const again = await other.browser.open(device.verification_uri_complete);
    await signOut(other.browser);
    expect((await other.browser.press('approve', again)).status).toBe(400);
    expect((await collect(device)).body.error).toBe('authorization_pending');
  });

  it('cannot hand out a key once the role is gone between the approval and the exchange', async () => {
    const { browser, id } = await join('admin');
    const device = await begin();
    await browser.press('approve', await browser.open(device.verification_uri_complete));
    await acme.patch(`/v2/workspace/members/${id}`, { role: 'viewer' });
    const { status, body } = await collect(device);
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });
}
