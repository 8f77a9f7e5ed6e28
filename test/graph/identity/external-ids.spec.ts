import { toExternalFocus, parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { IdentityService, type ResolvedEntity } from '#graph/identity/identity.service.js';
import { GraphPortFactory } from '#plugin-host/context/plugin-ports.js';
import { account, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

const SYSTEMS = ['linkedin', 'hubspot', 'salesforce', 'pipedrive', 'apollo', 'attio', 'acme.dialer'];

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

const idOf = (system: string, id: string) => toExternalFocus(system, id, 'person')!;
const resolve = (focus: PreciseFocus, ...alsoKnownAs: NonNullable<ReturnType<typeof toExternalFocus>>[]) =>
  hub.database.work.run(acme.workspaceId, async tx => {
    const identity = hub.app.get(IdentityService, { strict: false });
    return (await identity.resolveOrCreate(tx, [{ focus, alsoKnownAs }]))[0] as ResolvedEntity;
  });

describe('IDs of other systems', () => {
  it('identify the entity that they were stated for', async () => {
    const ids = SYSTEMS.map(system => idOf(system, ` Id-${system} `));
    const ada = await resolve(parseFocus('ada@acme.com') as PreciseFocus, ...ids);
    for (const focus of ids) expect(await resolve(focus)).toMatchObject({ id: ada.id, created: false });
    const { identifiers } = await account(acme, ada.id);
    expect(identifiers.map(i => [i.kind, i.value]).toSorted()).toEqual(
      [['email', 'ada@acme.com'], ...SYSTEMS.map(system => ['external', `${system}:Id-${system}`])].toSorted(),
    );
  });

  it('create a person if nobody has them, and conflict if somebody else does', async () => {
    const created = await resolve(idOf('hubspot', '17'));
    expect(created).toMatchObject({ created: true, conflicts: [] });
    const { entity_id } = await record(acme, 'bo@acme.com', [state('title', 'x')]);
    const bo = await resolve(parseFocus('bo@acme.com') as PreciseFocus, idOf('hubspot', '17'));
    expect(bo).toMatchObject({
      id: entity_id,
      conflicts: [{ identifier: { kind: 'external', value: 'hubspot:17' }, owner: { id: created.id } }],
    });
  });

  it('differ by system, type and case', async () => {
    const entities = await Promise.all(
      ['apollo:a1', 'attio:a1', 'apollo:A1', 'company:apollo:a1'].map(id =>
        record(acme, `external:${id}`, [state('name', id)]),
      ),
    );
    expect(new Set(entities.map(each => each.entity_id)).size).toBe(4);
    const company = await account(acme, entities[3]!.entity_id);
    expect(company.entity).toMatchObject({ type: 'company' });
  });

  it.each(['', '  ', 'x'.repeat(321), 'a\nb'])('are no text such as %j', id => {
    expect(toExternalFocus('hubspot', id, 'person')).toBeUndefined();
  });

  it('name an entity as text or object in REST, MCP and plugins', async () => {
    const external = { system: 'hubspot', id: '501' };
    const created = await acme.post<{ entity_id: string }>('/v2/observations', {
      focus: { external },
      observations: [state('title', 'CFO')],
    });
    expect(created).toMatchObject({ status: 200, body: { entity_created: true } });
    const { entity_id } = created.body;
    const text = await acme.post('/v2/observations', {
      focus: 'external:hubspot:501',
      observations: [state('title', 'CFO')],
    });
    expect(text).toMatchObject({ status: 200, body: { entity_id, entity_created: false } });
    expect(await account(acme, 'external:hubspot:501')).toMatchObject({ entity_id });
    const verdict = await acme.post('/v2/verify', { focus: { external }, property: 'title', value: 'CFO' });
    expect(verdict).toMatchObject({ status: 200, body: { entity_id } });
    const call = await fetch(`${hub.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${acme.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'get_account', arguments: { id: { external } } },
      }),
    });
    expect(await call.text()).toContain(entity_id);
    const graph = hub.app
      .get(GraphPortFactory, { strict: false })
      .create({ workspaceId: acme.workspaceId, plugin: 'acme', connectionId: null });
    expect(await graph.find({ external })).toMatchObject({ status: 'one', entity: { id: entity_id } });
    expect(await graph.record({ external }, [{ kind: 'state', property: 'city', value: 'Bonn' }])).toMatchObject({
      entity_id,
      recorded: 1,
    });
  });

  it.each([
    [{ external: { system: 'HubSpot', id: '1' } }, 'system'],
    [{ external: { system: 'hubspot' } }, 'id'],
    [{ external: { system: 'hubspot', id: '1', type: 'deal' } }, 'type'],
    [{ email: 'ada@acme.com' }, 'external'],
  ])('are refused with the fix if they are written as %j', async (focus, field) => {
    const { status, body } = await acme.post<{ error: string; detail: string }>('/v2/observations', {
      focus,
      observations: [state('title', 'x')],
    });
    expect(status).toBe(400);
    expect(body.error).toBe('invalid_focus');
    expect(body.detail).toContain(field);
  });
});
