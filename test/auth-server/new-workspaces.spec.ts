import { PUBLIC_URL, type BrowserSession } from '../support/browser-session.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { signInPerson } from '../support/sign-in.js';

interface Created {
  readonly workspace: { readonly id: string; readonly name: string; readonly plan: string; readonly role: string };
  readonly error?: string;
  readonly detail?: string;
}

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ PUBLIC_URL });
});
beforeEach(async () => {
  acme = await hub.workspace('growth');
});
afterAll(() => hub?.end());

const create = (browser: BrowserSession, name: unknown, workspace = acme.workspaceId) =>
  browser.send<Created>('POST', '/v2/workspaces', { name }, { 'x-rapport-workspace': workspace });

describe('a new workspace', () => {
  it('belongs to the person who created it, with the plan of the one that it was created from', async () => {
    const { browser, id } = await signInPerson(hub.url, acme, 'admin@new.example', 'admin');
    const { status, body } = await create(browser, '  Acme Europe ');
    expect(status).toBe(201);
    expect(body).toEqual({ workspace: { id: expect.any(String), name: 'Acme Europe', plan: 'growth', role: 'owner' } });
    const inNew = { 'x-rapport-workspace': body.workspace.id };
    const members = await browser.send<{ members: object[] }>('GET', '/v2/workspace/members', undefined, inNew);
    expect(members.body.members).toMatchObject([{ user_id: id, role: 'owner' }]);
    const people = await browser.send<{ people: object[] }>('GET', '/v2/people', undefined, inNew);
    expect(people.body.people).toEqual([]);
    const audit = await browser.send<{ events: { action: string; actor: object }[] }>(
      'GET',
      '/v2/workspace/audit',
      undefined,
      inNew,
    );
    expect(audit.body.events.map(({ action }) => action).toSorted()).toEqual(['member.join', 'workspace.create']);
    expect(audit.body.events[0]!.actor).toMatchObject({ kind: 'person', id });
    const me = await browser.send<{ workspaces: object[] }>('GET', '/auth/me');
    expect(me.body.workspaces).toHaveLength(2);
  });

  it('is created by no key, and by nobody below an admin', async () => {
    const byKey = await acme.post<Created>('/v2/workspaces', { name: 'Ours' });
    expect([byKey.status, byKey.body.error]).toEqual([403, 'new_workspace_refused']);
    expect(byKey.body.detail).toContain('console');
    const { browser } = await signInPerson(hub.url, acme, 'member@new.example', 'member');
    expect(await create(browser, 'Ours')).toMatchObject({ status: 403, body: { error: 'forbidden_scope' } });
  });

  it.each([undefined, '', '   ', 5, 'a\nb', 'x'.repeat(201)])('is not called %j', async name => {
    const { browser } = await signInPerson(hub.url, acme, `namer${String(name).length}@new.example`, 'owner');
    expect(await create(browser, name)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: [{ field: 'name' }] },
    });
  });

  it('is refused to somebody who owns twenty', async () => {
    const { browser } = await signInPerson(hub.url, acme, 'owner@new.example', 'owner');
    for (let n = 1; n < 20; n++) expect((await create(browser, `No ${n}`)).status).toBe(201);
    const { status, body } = await create(browser, 'No 20');
    expect([status, body.error]).toEqual([403, 'new_workspace_refused']);
    expect(body.detail).toContain('20');
  });
});

it('a hub where the operator creates workspaces refuses to create one', async () => {
  const strict = await startTestHub({ PUBLIC_URL, NEW_WORKSPACES: 'operator' });
  try {
    const client = await strict.workspace();
    const { browser } = await signInPerson(strict.url, client, 'owner@strict.example', 'owner');
    const { status, body } = await create(browser, 'Ours', client.workspaceId);
    expect([status, body.error]).toEqual([403, 'new_workspace_refused']);
    expect(body.detail).toContain('operator');
  } finally {
    await strict.end();
  }
});

describe('the name of a workspace', () => {
  it('is changed everywhere', async () => {
    const { browser } = await signInPerson(hub.url, acme, 'rename@new.example', 'owner');
    const renamed = await acme.patch<Created>('/v2/workspace', { name: ' Acme Europe ' });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toEqual({ workspace: { id: acme.workspaceId, name: 'Acme Europe', plan: 'growth' } });
    const me = await browser.send<{ workspaces: object[] }>('GET', '/auth/me');
    expect(me.body.workspaces).toMatchObject([{ name: 'Acme Europe' }]);
    const status = await acme.get<{ workspace: { name: string } }>('/v2/workspace/status');
    expect(status.body.workspace.name).toBe('Acme Europe');
  });

  it('is refused if it is none', async () => {
    expect(await acme.patch('/v2/workspace', { name: ' ' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', details: [{ field: 'name' }] },
    });
  });
});
