import { ToolRegistry } from '#kernel/mcp/tool.registry.js';
import { FakeCalcom } from '../fakes/calcom/server.ts';
import { AGENTS, type Agent } from '../fixtures/mcp/agents.js';
import { event, record, state, tryAccount } from '../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { everythingOf, type Leaks, MARK, markedTenant } from '../support/graph/two-tenants.js';

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly in: string; readonly name: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly example?: object }>> };
}

interface Attempt {
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The content type of a body that is a file; JSON where it is left out. */
  readonly fileType?: string;
}

/** Requests that are under way together. */
const AT_ONCE = 8;

let hub: TestHub;
let calcom: FakeCalcom;
let victim: Client;
let outsider: Client;
let loot: Leaks;
let operations: (Operation & { readonly method: string; readonly path: string })[];
let agent: Agent;
/** Of a workspace that has never written what it stole. */
let reader: Agent;

beforeAll(async () => {
  calcom = await FakeCalcom.start();
  hub = await startTestHub({ CALENDAR_API_URL: calcom.url });
  ({ victim, loot } = await markedTenant(hub));
  outsider = await hub.workspace();
  await record(outsider, 'own@acme.com', [state('name', 'Own Person'), event('call_held')]);
  await record(outsider, 'calm@calm.org', [state('name', 'Calm Person'), event('call_held')]);
  await record(outsider, 'two@acme.com', [state('name', 'Second Person')]);
  const document = await (await fetch(`${hub.url}/openapi.json`)).json();
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  operations = Object.entries(paths).flatMap(([path, own]) =>
    Object.entries(own).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
  );
  // The routes of sign-in are public, and know a session instead of a workspace.
  operations = operations.filter(({ path }) => !path.startsWith('/auth/'));
  agent = await AGENTS[0]![1](new URL('/mcp', hub.url), outsider.key);
  const third = await hub.workspace();
  await record(third, 'calm@calm.org', [state('name', 'Calm Person'), event('call_held')]);
  reader = await AGENTS[0]![1](new URL('/mcp', hub.url), third.key);
});
afterAll(async () => {
  await reader?.close();
  await agent?.close();
  await hub?.end();
  await calcom?.close();
});

/** A body that is accepted as it stands, where the example of the operation would not do. */
const bodies: Record<string, object> = {
  recordObservations: {
    focus: 'own@acme.com',
    observations: [state('title', 'x', { source: 'agent', external_id: 'mine' })],
  },
  recordFromText: {
    focus: 'own@acme.com',
    text: 'mine',
    source: 'agent',
    external_id: 'mine',
    observations: [state('title', 'x', { evidence: 'mine', source: 'agent', external_id: 'mine' })],
  },
  changeTrust: { trust: [{ match: 'own/*', r: 0.5, class: 'reported' }], note: 'x', dry_run: true },
  searchNotes: { question: 'mine', focus: 'own@acme.com', limit: 5 },
  saveNote: {
    focus: 'own@acme.com',
    content: 'mine',
    title: 'mine',
    source: 'agent',
    participants: ['mine'],
  },
  createPerson: { email: 'own@acme.com', title: 'mine', dry_run: true },
  changePerson: { title: 'mine', dry_run: true },
  erasePerson: { dry_run: true },
  changePersonByFocus: { focus: 'own@acme.com', title: 'mine', dry_run: true },
  addLeads: { list: 'mine', email: 'own@acme.com', title: 'mine' },
  addManyLeads: { list: 'mine', leads: [{ email: 'own@acme.com', title: 'mine' }] },
  attachLeadList: { name: 'mine', rows: [{ email: 'own@acme.com', title: 'mine' }], score: false },
  createLeadList: { name: 'mine', source: 'mine' },
  changeLead: { status: 'mine' },
  changeLeadById: { id: '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', status: 'mine' },
  getContext: { focus: 'calm@calm.org', task: 'mine' },
  queryObservations: { scope: { property: 'name', entity_id: 'calm@calm.org' }, question: 'x', cursor: 'x' },
  setWorkspaceProfile: { name: 'mine', website: 'mine.com', icp: 'mine', dry_run: true },
  buildIcpModel: {
    description: 'Software companies in Germany',
    examples: ['own@acme.com'],
    lost: ['two@acme.com'],
    rules: [{ property: 'title', op: 'eq', value: 'mine' }],
    dry_run: true,
  },
  setTrigger: { url: 'https://mine.com', events: ['mine'], event: 'mine', name: 'mine', dry_run: true },
  configureCrmSync: { provider: 'mine', field_map: { title: 'mine' }, filters: { own: 'mine' }, dry_run: true },
  connectIntegration: { provider: 'calcom', credentials: { api_key: 'mine' }, name: 'mine' },
  testIntegration: { credentials: { api_key: 'mine' } },
  createApiKey: { name: 'mine', scopes: ['read'] },
  createInvitation: { email: 'own@acme.com', role: 'viewer' },
  mergeEntities: { a: 'own@acme.com', b: 'two@acme.com', reason: 'x' },
  unmergeEntities: { a: 'own@acme.com', b: 'two@acme.com', reason: 'x' },
  mergeAccounts: { keep: 'own@acme.com', drop: 'two@acme.com' },
  writeWorkspaceFact: {
    section: 'own',
    content: { text: 'x' },
    source: 'x',
    note: 'x',
    source_path: 'x',
    dry_run: true,
  },
};

/** The same value with one text in it replaced, once for every text. */
function* replacedOnce(value: unknown, by: string): Generator<unknown> {
  if (typeof value === 'string') yield by;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, held] of Object.entries(value)) {
    for (const changed of replacedOnce(held, by))
      yield Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
  }
}

/** Every way to put one stolen thing into one operation. */
function attemptsOf(
  { method, path, parameters = [], requestBody, operationId }: (typeof operations)[number],
  [what, stolen]: [string, string],
): Attempt[] {
  const named = (kind: string) => parameters.filter(parameter => parameter.in === kind).map(({ name }) => name);
  const own = path.replace(/\{\w+\}/, 'own%40acme.com');
  const fileType = Object.keys(requestBody?.content ?? {}).find(type => type !== 'application/json');
  if (fileType !== undefined) {
    const body = `Email,Title\n${stolen},mine\nown@acme.com,${stolen}\n`;
    return [{ what, method, path: own, body, fileType }];
  }
  const body = bodies[operationId] ?? requestBody?.content['application/json']?.example;
  return [
    ...named('path').map(name => ({ what, method, path: path.replace(`{${name}}`, encodeURIComponent(stolen)), body })),
    ...named('query').map(name => ({ what, method, path: `${own}?${name}=${encodeURIComponent(stolen)}`, body })),
    ...[...replacedOnce(body, stolen)].map(changed => ({ what, method, path: own, body: changed })),
  ];
}

async function send({ method, path, body, fileType = 'application/json' }: Attempt) {
  const response = await fetch(hub.url + path, {
    method,
    headers: {
      authorization: `Bearer ${outsider.key}`,
      ...(body !== undefined && { 'content-type': fileType }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** The answer without what the stranger has said so far, as text or as a slug: nothing that is left may be the other's. */
function foreignIn(text: string, message: ReadonlySet<string>): string[] {
  const slugs = [...message].map(own => own.replace(/[\s_.-]+/g, '_'));
  const longestFirst = [...message, ...slugs].toSorted((a, b) => b.length - a.length);
  const rest = longestFirst.reduce((left, own) => left.replaceAll(own, ''), text.toLowerCase());
  return [MARK, ...Object.values(loot).map(value => value.toLowerCase())].filter(
    mark => !message.has(mark) && rest.includes(mark),
  );
}

it('there is something to lose: the other workspace sees all of it', async () => {
  const { body } = await tryAccount(victim, loot['e-mail address']!);
  expect(JSON.stringify(body).split(MARK).length).toBeGreaterThan(15);
  expect(Object.values(loot).every(Boolean)).toBe(true);
  expect(operations.length).toBeGreaterThanOrEqual(5);
});

/** Every way to put something stolen into an operation that reads, or into one that writes. */
function listAttempts(kind: 'read' | 'write'): Attempt[] {
  const isRead = ({ method, path }: Attempt) => method === 'GET' || /\/(?:search|context|query|verify)$/.test(path);
  const attempts = operations.flatMap(operation =>
    Object.entries(loot).flatMap(stolen => attemptsOf(operation, stolen)),
  );
  return attempts.filter(attempt => isRead(attempt) === (kind === 'read'));
}

it.each(['read', 'write'] as const)('no %s lets one workspace see, use or change what another one has', async kind => {
  const before = await everythingOf(hub, victim.workspaceId);
  const attempts = listAttempts(kind);
  expect(attempts.length).toBeGreaterThan(50);
  const written = new Set<string>();
  const wrong: object[] = [];
  const tryIt = async (attempt: Attempt) => {
    const stolen = loot[attempt.what]!.toLowerCase();
    const { status, text } = await send(attempt);
    const foreign = foreignIn(text, new Set([...written, stolen]));
    if (foreign.length > 0 || ![200, 201, 400, 404, 409].includes(status)) wrong.push({ attempt, status, foreign });
  };
  for (let n = 0; n < attempts.length; n += AT_ONCE) {
    const together = attempts.slice(n, n + AT_ONCE);
    if (kind === 'write') for (const { what } of together) written.add(loot[what]!.toLowerCase());
    await Promise.all(together.map(tryIt));
  }
  expect(wrong).toEqual([]);
  expect(await everythingOf(hub, victim.workspaceId)).toBe(before);
});

it('a key of another workspace cannot be revoked, and goes on working', async () => {
  const { status } = await send({ what: '', method: 'DELETE', path: `/v2/api-keys/${loot['api key id']}` });
  expect(status).toBe(404);
  const list = await victim.get<{ api_keys: { id: string; revoked_at: string | null }[] }>('/v2/api-keys');
  expect(list.body.api_keys.find(({ id }) => id === loot['api key id'])).toMatchObject({ revoked_at: null });
});

it('every route that is not public answers 401 without a key', async () => {
  for (const { method, path } of operations) {
    const response = await fetch(hub.url + path.replace(/\{\w+\}/, encodeURIComponent(loot['entity id']!)), { method });
    expect({ path, status: response.status, body: await response.text() }).toEqual({
      path,
      status: 401,
      body: '{"error":"unauthorized"}',
    });
  }
});

describe('no tool lets one workspace see or change what another one has', () => {
  const inputs: Record<string, object> = {
    record: bodies['recordObservations']!,
    get_account: { id: 'own@acme.com', cursor: '', company: '' },
    get_context: { focus: 'calm@calm.org', task: 'x' },
    query: { scope: { property: 'x', source: 'x', entity_id: 'x' }, question: 'x', cursor: 'x' },
    score: { identifier: 'own@acme.com' },
    attention: { kinds: 'work_now', owner: 'x', cursor: 'x' },
    dedup: { rows: [{ email: 'own@acme.com', linkedin_url: 'x', domain: 'x', ref: 'x' }], exclude_list_id: 'x' },
    verify: { focus: 'own@acme.com', property: 'name', value: 'x' },
    get_workspace_status: {},
    set_workspace_profile: { name: 'x', website: 'x.com', icp: 'x', dry_run: true },
    connect_integration: { provider: 'x', credentials: { api_key: 'x' }, name: 'x' },
    build_icp_model: { description: 'x', examples: ['own@acme.com'], lost: ['two@acme.com'], dry_run: true },
    configure_crm_sync: { provider: 'x', field_map: { title: 'x' }, filters: { own: 'x' }, dry_run: true },
    save_note: { focus: 'own@acme.com', content: 'x', title: 'x', source: 'x', external_id: 'x', dry_run: true },
    search_notes: { question: 'x', focus: 'x' },
    calcom_list_bookings: { focus: 'own@acme.com' },
  };

  it('has an input to try for every tool', async () => {
    const registry = hub.app.get(ToolRegistry, { strict: false });
    const tools = registry.list({ plan: 'scale', scopes: ['read', 'write', 'settings', 'admin'] });
    expect(tools.map(({ name }) => name).toSorted()).toEqual(Object.keys(inputs).toSorted());
  });

  it.each(Object.keys(inputs))('%s', async name => {
    const before = await everythingOf(hub, victim.workspaceId);
    const output = new Set<string>();
    for (const [what, stolen] of Object.entries(loot)) {
      output.add(stolen.toLowerCase());
      for (const input of replacedOnce(inputs[name], stolen)) {
        const caller = ['get_context', 'query', 'search_notes'].includes(name) ? reader : agent;
        const { text, structuredContent } = await caller.call(name, input as Record<string, unknown>);
        const foreign = foreignIn(text + JSON.stringify(structuredContent ?? null), output);
        expect({ name, what, foreign }).toEqual({ name, what, foreign: [] });
      }
    }
    expect(await everythingOf(hub, victim.workspaceId)).toBe(before);
  });
});
