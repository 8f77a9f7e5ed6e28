import { SignInSweeper } from '../../src/auth-server/users/sign-in.sweeper.js';
import type { Role } from '../../src/domain/actor/roles.js';
import { BrowserSession, PUBLIC_URL } from '../support/browser-session.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { PASSWORD } from '../support/sign-in.js';

interface SignedInUser {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly workspaces: readonly { readonly id: string; readonly role: Role }[];
}

let hub: TestHub;
let acme: Client;
let count = 0;

beforeAll(async () => {
  hub = await startTestHub({ PUBLIC_URL, TRUST_PROXY: '1' });
});
beforeEach(async () => {
  acme = await hub.workspace();
});
afterAll(() => hub?.end());

const newAddress = () => `user${count++}@people.example`;
const browse = (headers: Record<string, string | null> = {}) => new BrowserSession(hub.url, headers);

async function invite(email: string, role: Role, by: Client = acme): Promise<string> {
  const { status, body } = await by.post<{ token: string }>('/v2/workspace/invitations', { email, role });
  expect(status).toBe(201);
  return body.token;
}

/** Invites a person, who accepts in a browser of their own. */
async function join(role: Role, { client = acme, email = newAddress() } = {}) {
  const token = await invite(email, role, client);
  const browser = browse();
  const accept = { name: 'Ada', password: PASSWORD };
  const { status, body } = await browser.send<SignedInUser>('POST', `/auth/invitations/${token}/accept`, accept);
  expect(status).toBe(200);
  return { browser, email, id: body.user.id, body };
}

describe('an invitation', () => {
  it('makes an account of its address, signs in, and is accepted once', async () => {
    const email = newAddress();
    const token = await invite(email.toUpperCase(), 'owner');
    const browser = browse();
    expect((await browser.send('GET', `/auth/invitations/${token}`)).body).toEqual({
      workspace_name: 'Acme',
      role: 'owner',
      email,
      expires_at: expect.any(String),
      account_exists: false,
    });
    const accept = { name: 'Ada Lovelace', password: PASSWORD };
    const { status, body } = await browser.send<SignedInUser>('POST', `/auth/invitations/${token}/accept`, accept);
    expect(status).toBe(200);
    expect(body).toEqual({
      user: { id: expect.any(String), name: 'Ada Lovelace', email },
      workspaces: [{ id: acme.workspaceId, name: 'Acme', plan: 'scale', role: 'owner' }],
    });
    expect((await browser.send('GET', '/v2/people')).status).toBe(200);
    expect((await browse().send('POST', `/auth/invitations/${token}/accept`, accept)).status).toBe(404);
    expect((await browse().send('GET', `/auth/invitations/${token}`)).status).toBe(404);
  });

  it('is accepted by an account with its password only', async () => {
    const { email, id } = await join('member');
    const other = await hub.workspace();
    const token = await invite(email, 'viewer', other);
    const open = await browse().send('GET', `/auth/invitations/${token}`);
    expect(open.body).toMatchObject({ account_exists: true });
    const wrong = await browse().send('POST', `/auth/invitations/${token}/accept`, { password: 'another password' });
    expect([wrong.status, wrong.body['error']]).toEqual([401, 'sign_in_failed']);
    const right = await browse().send<SignedInUser>('POST', `/auth/invitations/${token}/accept`, {
      name: 'Somebody Else',
      password: PASSWORD,
    });
    expect(right.body.user).toEqual({ id, name: 'Ada', email });
    expect(right.body.workspaces.map(each => each.id).toSorted()).toEqual(
      [acme.workspaceId, other.workspaceId].toSorted(),
    );
  });

  it('is replaced by another one of its address, and can be withdrawn', async () => {
    const email = newAddress();
    const first = await invite(email, 'member');
    const second = await invite(email, 'viewer');
    expect((await browse().send('GET', `/auth/invitations/${first}`)).status).toBe(404);
    const { body } = await acme.get<{ invitations: { id: string; email: string; role: Role }[] }>(
      '/v2/workspace/invitations',
    );
    expect(body.invitations).toMatchObject([{ email, role: 'viewer', invited_by: { kind: 'key' } }]);
    const path = `/v2/workspace/invitations/${body.invitations[0]!.id}`;
    expect((await acme.delete(path)).body).toEqual({ id: body.invitations[0]!.id, withdrawn: true });
    expect((await acme.delete(path)).status).toBe(404);
    expect((await browse().send('GET', `/auth/invitations/${second}`)).status).toBe(404);
  });

  it('has expired after seven days', async () => {
    const token = await invite(newAddress(), 'member');
    const sql = "UPDATE invitations SET expires_at = now() - interval '1 second' WHERE workspace_id = $1";
    await hub.database.work.auth(tx => tx.query(sql, [acme.workspaceId]), acme.workspaceId);
    expect((await browse().send('GET', `/auth/invitations/${token}`)).status).toBe(404);
    const accept = { name: 'Ada', password: PASSWORD };
    expect((await browse().send('POST', `/auth/invitations/${token}/accept`, accept)).status).toBe(404);
    expect((await acme.get('/v2/workspace/invitations')).body).toEqual({ invitations: [] });
  });

  it('names the field that is wrong', async () => {
    const bad = await acme.post('/v2/workspace/invitations', { email: 'nobody', role: 'boss' });
    expect(bad.body).toMatchObject({
      error: 'invalid_request',
      details: [{ field: 'email' }, { field: 'role' }],
    });
    const token = await invite(newAddress(), 'member');
    const path = `/auth/invitations/${token}/accept`;
    const short = await browse().send('POST', path, { name: 'Ada', password: 'short' });
    expect(short.body).toMatchObject({ details: [{ field: 'password', message: expect.stringContaining('12') }] });
    const unnamed = await browse().send('POST', path, { password: PASSWORD });
    expect(unnamed.body).toMatchObject({ error: 'invalid_request', details: [{ field: 'name' }] });
    expect((await browse().send('GET', `/auth/invitations/${token}`)).status).toBe(200);
  });

  it('refuses a member', async () => {
    const { email } = await join('member');
    const { status, body } = await acme.post<{ error: string }>('/v2/workspace/invitations', { email, role: 'admin' });
    expect([status, body.error]).toEqual([409, 'already_member']);
  });
});

it('what has expired is deleted', async () => {
  const { id } = await join('member');
  await invite(newAddress(), 'member');
  await hub.database.pool.query(
    `UPDATE rapport_auth.sessions SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
    [id],
  );
  const sql = "UPDATE invitations SET expires_at = now() - interval '1 second' WHERE workspace_id = $1";
  await hub.database.work.auth(tx => tx.query(sql, [acme.workspaceId]), acme.workspaceId);
  expect(await new SignInSweeper(hub.database.work).sweep()).toBeGreaterThanOrEqual(2);
  const left = await hub.database.work.auth(tx =>
    tx.query(
      `SELECT id FROM rapport_auth.sessions WHERE user_id = $1 UNION ALL SELECT id FROM invitations WHERE workspace_id = $2`,
      [id, acme.workspaceId],
    ),
  );
  expect(left).toEqual([]);
});

describe('a session', () => {
  it('begins with the right password only, and names its user', async () => {
    const { email } = await join('member');
    const browser = browse();
    const wrong = await browser.send('POST', '/auth/sign-in', { email, password: 'another password' });
    expect([wrong.status, wrong.body]).toMatchObject([401, { error: 'sign_in_failed' }]);
    const unknown = await browser.send('POST', '/auth/sign-in', { email: newAddress(), password: PASSWORD });
    expect(unknown.body).toEqual({ ...wrong.body, request_id: expect.any(String) });
    expect((await browser.send('GET', '/auth/me')).status).toBe(401);
    const right = await browser.send('POST', '/auth/sign-in', { email: email.toUpperCase(), password: PASSWORD });
    expect(right.status).toBe(200);
    const [cookie] = right.headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-rapport\.session_token=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect((await browser.send('GET', '/auth/me')).body).toMatchObject({
      user: { email, name: 'Ada' },
      workspaces: [{ id: acme.workspaceId, role: 'member' }],
      session: { id: expect.any(String), expires_at: expect.any(String) },
    });
  });

  it('ends with a sign-out, for the API as well', async () => {
    const { browser } = await join('member');
    const copy = browse({ cookie: browser.cookie });
    expect((await copy.send('GET', '/v2/people')).status).toBe(200);
    expect((await browser.send('POST', '/auth/sign-out')).body).toEqual({ signed_out: true });
    expect(browser.cookie).toBe('');
    expect((await copy.send('GET', '/v2/people')).status).toBe(401);
    expect((await copy.send('GET', '/auth/me')).status).toBe(401);
  });

  it('is listed without its token, and ended from another one', async () => {
    const { browser, email } = await join('member');
    const phone = browse({ 'user-agent': 'Phone 1.0' });
    await phone.send('POST', '/auth/sign-in', { email, password: PASSWORD });
    type Sessions = { sessions: { id: string; client: string; current: boolean }[] };
    const { body } = await browser.send<Sessions>('GET', '/auth/sessions');
    expect(body.sessions).toHaveLength(2);
    expect(Object.keys(body.sessions[0]!).toSorted()).toEqual(
      'address client created_at current expires_at id last_seen_at'.split(' '),
    );
    const other = body.sessions.find(({ current }) => !current)!;
    expect(other).toMatchObject({ client: 'Phone 1.0', address: '127.0.0.1' });
    const stranger = await join('owner');
    expect((await stranger.browser.send('DELETE', `/auth/sessions/${other.id}`)).status).toBe(404);
    expect((await browser.send('DELETE', `/auth/sessions/${other.id}`)).body).toEqual({ ended: 1 });
    expect((await phone.send('GET', '/v2/people')).status).toBe(401);
    expect((await browser.send('DELETE', '/auth/sessions/no-uuid')).status).toBe(404);
    await phone.send('POST', '/auth/sign-in', { email, password: PASSWORD });
    expect((await browser.send('DELETE', '/auth/sessions')).body).toEqual({ ended: 1 });
    expect((await phone.send('GET', '/auth/me')).status).toBe(401);
    expect((await browser.send('GET', '/auth/me')).status).toBe(200);
  });

  it('is stored as a hash', async () => {
    const { browser, id } = await join('member');
    const token = decodeURIComponent(browser.cookie).split('=')[1]!.split('.')[0]!;
    const sql = 'SELECT token FROM rapport_auth.sessions WHERE user_id = $1';
    const rows = await hub.database.work.auth(tx => tx.query<{ token: string }>(sql, [id]));
    expect(token).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(rows.map(row => row.token)).toEqual([expect.not.stringContaining(token)]);
  });

  it('changes name and password, and the password ends the others', async () => {
    const { browser, email } = await join('member');
    const phone = browse();
    await phone.send('POST', '/auth/sign-in', { email, password: PASSWORD });
    expect((await browser.send('PATCH', '/auth/me', { name: 'Ada L.' })).body).toMatchObject({ name: 'Ada L.' });
    const change = (current: string) =>
      browser.send('PATCH', '/auth/me', { password: { current, new: 'a new long password' } });
    expect((await change('not the current one')).status).toBe(401);
    expect((await phone.send('GET', '/auth/me')).status).toBe(200);
    expect((await change(PASSWORD)).status).toBe(200);
    expect((await phone.send('GET', '/auth/me')).status).toBe(401);
    expect((await browser.send('GET', '/auth/me')).body).toMatchObject({ user: { name: 'Ada L.' } });
    expect((await phone.send('POST', '/auth/sign-in', { email, password: PASSWORD })).status).toBe(401);
    const again = { email, password: 'a new long password' };
    expect((await phone.send('POST', '/auth/sign-in', again)).status).toBe(200);
    expect((await browser.send('PATCH', '/auth/me', {})).status).toBe(400);
  });

  it('is not locked by the wrong passwords of another network, which has few tries at a time', async () => {
    const { email } = await join('member');
    const [stranger, owner] = ['203.0.113.9', '198.51.100.1'].map(address => browse({ 'x-forwarded-for': address }));
    const tryIn = (browser: BrowserSession, password: string) =>
      browser.send('POST', '/auth/sign-in', { email, password });
    const guesses = Array.from({ length: 12 }, () => tryIn(stranger!, 'guess guess guess'));
    expect((await tryIn(owner!, PASSWORD)).status).toBe(200);
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    expect(statuses.filter(status => status === 401).length).toBeGreaterThanOrEqual(5);
    expect(statuses.filter(status => status === 429).length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([401, 429]));
  });
});

describe('a request with a session', () => {
  it('acts for the person, with the scopes of their role', async () => {
    const { browser, id } = await join('viewer');
    expect((await browser.send('GET', '/v2/people')).status).toBe(200);
    const person = { email: 'kim@gmail.com', name: 'Kim' };
    const refused = await browser.send('POST', '/v2/people', person);
    expect([refused.status, refused.body]).toMatchObject([403, { error: 'forbidden_scope', scope: 'write' }]);
    await acme.patch(`/v2/workspace/members/${id}`, { role: 'member' });
    expect((await browser.send('POST', '/v2/people', person)).status).toBe(201);
    expect((await browser.send('POST', '/v2/api-keys', { name: 'mine' })).status).toBe(403);
    await acme.patch(`/v2/workspace/members/${id}`, { role: 'admin' });
    const key = await browser.send('POST', '/v2/api-keys', { name: 'mine' });
    expect([key.status, key.body]).toMatchObject([201, { created_by: { kind: 'person', id } }]);
  });

  it('names the workspace, and reaches no other', async () => {
    const { browser, email } = await join('member');
    const other = await hub.workspace();
    const foreign = await hub.workspace();
    await acme.post('/v2/people', { email: 'one@gmail.com', name: 'One' });
    const token = await invite(email, 'member', other);
    await browse().send('POST', `/auth/invitations/${token}/accept`, { password: PASSWORD });
    const people = (workspace: string | null) =>
      browser.send<{ error?: string; people: { name: string }[] }>('GET', '/v2/people', undefined, {
        'x-rapport-workspace': workspace,
      });
    expect((await people(null)).body.error).toBe('workspace_required');
    expect((await people(foreign.workspaceId)).body.error).toBe('workspace_required');
    expect((await people('nonsense')).body.error).toBe('workspace_required');
    expect((await people(acme.workspaceId)).body.people).toMatchObject([{ name: 'One' }]);
    expect((await people(other.workspaceId)).body.people).toEqual([]);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['no origin', { origin: null }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a form, which cannot set the header of the console', { 'x-rapport-client': null }],
  ])('is refused with %s, if it would change something', async (_, headers) => {
    const { browser, email } = await join('owner');
    const person = { email: 'forged@gmail.com', name: 'Forged' };
    const forged = await browser.send('POST', '/v2/people', person, headers);
    expect([forged.status, forged.body]).toMatchObject([403, { error: 'foreign_origin' }]);
    const signIn = await browse().send('POST', '/auth/sign-in', { email, password: PASSWORD }, headers);
    expect([signIn.status, signIn.headers.getSetCookie()]).toEqual([403, []]);
    expect((await browser.send('GET', '/v2/people', undefined, headers)).body).toMatchObject({ people: [] });
  });

  it('counts for nothing beside an API key, at the MCP server and with a changed cookie', async () => {
    const { browser } = await join('owner');
    const other = await hub.workspace();
    await acme.post('/v2/people', { email: 'one@gmail.com', name: 'One' });
    const authorization = `Bearer ${other.key}`;
    expect((await browser.send('GET', '/v2/people', undefined, { authorization })).body).toMatchObject({ people: [] });
    const wrongKey = { authorization: 'Bearer rap_live_wrong' };
    expect((await browser.send('GET', '/v2/people', undefined, wrongKey)).status).toBe(401);
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    expect((await browser.send('POST', '/mcp', call)).status).toBe(401);
    const forged = browse({ cookie: browser.cookie.replace(/=.{4}/, '=AAAA') });
    expect((await forged.send('GET', '/v2/people')).status).toBe(401);
  });
});

describe('members', () => {
  it('are listed with their roles, and changed and removed by those above them', async () => {
    const owner = await join('owner');
    const admin = await join('admin');
    const member = await join('member');
    type Members = { members: { user_id: string; role: Role; email: string; last_seen_at: string }[] };
    const { body } = await member.browser.send<Members>('GET', '/v2/workspace/members');
    expect(body.members).toMatchObject([
      { user_id: owner.id, role: 'owner', email: owner.email, last_seen_at: expect.any(String) },
      { user_id: admin.id, role: 'admin' },
      { user_id: member.id, role: 'member' },
    ]);
    const change = (browser: BrowserSession, id: string, role: Role) =>
      browser.send('PATCH', `/v2/workspace/members/${id}`, { role });
    expect((await change(member.browser, member.id, 'admin')).status).toBe(403);
    expect((await change(admin.browser, admin.id, 'owner')).status).toBe(403);
    expect((await change(admin.browser, owner.id, 'member')).status).toBe(403);
    expect((await change(admin.browser, member.id, 'viewer')).body).toMatchObject({ role: 'viewer' });
    expect((await acme.patch(`/v2/workspace/members/${owner.id}`, { role: 'member' })).status).toBe(403);
    expect((await change(owner.browser, admin.id, 'owner')).body).toMatchObject({ role: 'owner' });
    expect((await admin.browser.send('DELETE', `/v2/workspace/members/${member.id}`)).body).toEqual({
      user_id: member.id,
      removed: true,
    });
    expect((await member.browser.send('GET', '/v2/people')).status).toBe(403);
    expect((await member.browser.send('GET', '/auth/me')).body).toMatchObject({ workspaces: [] });
    expect((await change(owner.browser, member.id, 'member')).status).toBe(404);
  });

  it('keep one owner', async () => {
    const first = await join('owner');
    const leave = (who: { browser: BrowserSession; id: string }) =>
      who.browser.send('DELETE', `/v2/workspace/members/${who.id}`);
    const demote = await first.browser.send('PATCH', `/v2/workspace/members/${first.id}`, { role: 'member' });
    expect([demote.status, demote.body]).toMatchObject([409, { error: 'last_owner' }]);
    expect((await leave(first)).body).toMatchObject({ error: 'last_owner' });
    const token = await first.browser.send<{ token: string }>('POST', '/v2/workspace/invitations', {
      email: newAddress(),
      role: 'owner',
    });
    const second = browse();
    const accept = { name: 'Bo', password: PASSWORD };
    const joined = await second.send<SignedInUser>('POST', `/auth/invitations/${token.body.token}/accept`, accept);
    const both = [first, { browser: second, id: joined.body.user.id }];
    const left = await Promise.all(both.map(leave));
    expect(left.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it('who are viewers may leave', async () => {
    const viewer = await join('viewer');
    const other = await join('member');
    expect((await viewer.browser.send('DELETE', `/v2/workspace/members/${other.id}`)).status).toBe(403);
    expect((await viewer.browser.send('DELETE', `/v2/workspace/members/${viewer.id}`)).status).toBe(200);
  });

  it('are invited as owners by a key only while there is none', async () => {
    await join('owner');
    const { status, body } = await acme.post<{ error: string }>('/v2/workspace/invitations', {
      email: newAddress(),
      role: 'owner',
    });
    expect([status, body.error]).toEqual([403, 'forbidden_scope']);
  });

  it('are recorded in the audit log, without addresses', async () => {
    const { id, email } = await join('member');
    await acme.patch(`/v2/workspace/members/${id}`, { role: 'viewer' });
    await acme.delete(`/v2/workspace/members/${id}`);
    type Audit = { events: { action: string; actor: unknown; object: { id: string } }[] };
    const { body } = await acme.get<Audit>('/v2/workspace/audit');
    expect(body.events.map(({ action }) => action)).toEqual(
      expect.arrayContaining(['member.invite', 'member.join', 'session.create', 'member.change', 'member.remove']),
    );
    expect(body.events.find(({ action }) => action === 'member.join')).toMatchObject({
      actor: { kind: 'person', id },
    });
    expect(JSON.stringify(body)).not.toContain(email);
  });
});
