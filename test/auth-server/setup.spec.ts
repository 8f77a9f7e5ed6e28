import { createSetupCode } from '../../src/auth-server/setup/setup.service.js';
import type { Role } from '../../src/domain/actor/roles.js';
import { BrowserSession, PUBLIC_URL } from '../support/browser-session.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { PASSWORD, signInPerson } from '../support/sign-in.js';

interface Owner {
  readonly user: { readonly id: string; readonly name: string; readonly email: string };
  readonly workspaces: readonly { readonly id: string; readonly name: string; readonly role: Role }[];
}

const ADA = { name: 'Ada Lovelace', email: 'Ada@People.example', password: PASSWORD };

let hub: TestHub;
let acme: Client;

beforeEach(async () => {
  hub = await startTestHub({ PUBLIC_URL });
  acme = await hub.workspace();
});
afterEach(() => hub?.end());

const browse = () => new BrowserSession(hub.url);
const makeCode = async ({ workspaceId }: Client = acme) =>
  (await hub.database.work.auth(tx => createSetupCode(tx, workspaceId))).code;
const setUp = (code: string, body: object = ADA) => browse().send<Owner>('POST', `/auth/setup/${code}`, body);

describe('a setup address', () => {
  it('makes the first owner, names the workspace and signs in, once', async () => {
    const code = await makeCode();
    const browser = browse();
    expect((await browser.send('GET', '/auth/state')).body).toEqual({
      setup_required: true,
      signed_in: false,
      single_sign_on: null,
    });
    expect((await browser.send('GET', `/auth/setup/${code}`)).body).toEqual({
      workspace_name: 'Acme',
      expires_at: expect.any(String),
    });
    const body = { ...ADA, workspace_name: 'Acme Sales' };
    const done = await browser.send<Owner>('POST', `/auth/setup/${code}`, body);
    expect(done.status).toBe(201);
    expect(done.body).toEqual({
      user: { id: expect.any(String), name: 'Ada Lovelace', email: 'ada@people.example' },
      workspaces: [{ id: acme.workspaceId, name: 'Acme Sales', plan: 'scale', role: 'owner' }],
    });
    expect((await browser.send('GET', '/auth/state')).body).toEqual({
      setup_required: false,
      signed_in: true,
      single_sign_on: null,
    });
    expect((await browser.send('GET', '/v2/workspace/members')).body).toMatchObject({
      members: [{ email: 'ada@people.example', role: 'owner' }],
    });
    expect((await setUp(code, { ...ADA, email: 'eve@people.example' })).status).toBe(404);
    expect((await browse().send('GET', `/auth/setup/${code}`)).status).toBe(404);
  });

  it('makes one owner of two who use it at once', async () => {
    const code = await makeCode();
    const answers = await Promise.all(['a', 'b'].map(name => setUp(code, { ...ADA, email: `${name}@people.example` })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 404]);
    const { body } = await acme.get<{ members: unknown[] }>('/v2/workspace/members');
    expect(body.members).toHaveLength(1);
  });

  it('is refused once the workspace has a member', async () => {
    const code = await makeCode();
    await signInPerson(hub.url, acme, 'bea@people.example', 'owner');
    const late = await setUp(code);
    expect([late.status, late.body]).toEqual([
      404,
      expect.objectContaining({ detail: expect.stringContaining('has an owner') }),
    ]);
    const { body } = await acme.get<{ members: { email: string }[] }>('/v2/workspace/members');
    expect(body.members).toMatchObject([{ email: 'bea@people.example' }]);
  });

  it('is replaced by another one, and expires', async () => {
    const replaced = await makeCode();
    const code = await makeCode();
    expect((await setUp(replaced)).status).toBe(404);
    const sql = "UPDATE rapport_auth.verifications SET expires_at = now() - interval '1 second' WHERE value = $1";
    await hub.database.work.auth(tx => tx.query(sql, [acme.workspaceId]));
    expect((await setUp(code)).status).toBe(404);
  });

  it('takes an account that its address has, with its password', async () => {
    const other = await hub.workspace();
    const { id } = await signInPerson(hub.url, acme, 'bea@people.example', 'member');
    const code = await makeCode(other);
    const wrong = await setUp(code, { ...ADA, email: 'bea@people.example', password: 'another password' });
    expect([wrong.status, (wrong.body as unknown as { error: string }).error]).toEqual([401, 'sign_in_failed']);
    const right = await setUp(code, { ...ADA, email: 'bea@people.example' });
    expect(right.body.user).toEqual({ id, name: 'Ada', email: 'bea@people.example' });
    expect(right.body.workspaces).toContainEqual(expect.objectContaining({ id: other.workspaceId, role: 'owner' }));
  });

  it('names the fields that are wrong, and stays good', async () => {
    const code = await makeCode();
    const bad = await setUp(code, { name: ' ', email: 'nobody', password: 'short', workspace_name: '' });
    expect(bad.body).toMatchObject({
      details: [{ field: 'name' }, { field: 'email' }, { field: 'password' }, { field: 'workspace_name' }],
    });
    expect((await setUp(code)).status).toBe(201);
  });

  it('is used by the pages of the hub only', async () => {
    const code = await makeCode();
    const foreign = new BrowserSession(hub.url, { origin: 'https://evil.example' });
    expect((await foreign.send('POST', `/auth/setup/${code}`, ADA)).status).toBe(403);
  });
});
