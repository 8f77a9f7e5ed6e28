import { toExternalFocus, parseFocus, type PreciseFocus } from '#domain/identity/focus.js';
import { externalKinds } from '#domain/identity/types.js';
import { IdentityService, type ResolvedEntity } from '#graph/identity/identity.service.js';
import { account, record, state } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

const resolve = (focus: PreciseFocus, ...alsoKnownAs: NonNullable<ReturnType<typeof toExternalFocus>>[]) =>
  hub.database.work.run(acme.workspaceId, async tx => {
    const identity = hub.app.get(IdentityService, { strict: false });
    return (await identity.resolveOrCreate(tx, [{ focus, alsoKnownAs }]))[0] as ResolvedEntity;
  });

it('ids of other systems are identifiers: they name whom they were given to', async () => {
  const ids = externalKinds.map(kind => toExternalFocus(kind, ` Id-${kind} `)!);
  const ada = await resolve(parseFocus('ada@acme.com') as PreciseFocus, ...ids);
  for (const focus of ids) expect(await resolve(focus)).toMatchObject({ id: ada.id, created: false });
  const { identifiers } = await account(acme, ada.id);
  expect(identifiers.map(i => [i.kind, i.value]).toSorted()).toEqual(
    [['email', 'ada@acme.com'], ...externalKinds.map(kind => [kind, `Id-${kind}`])].toSorted(),
  );
});

it('an id that nobody has makes a person; one that another has makes them rivals', async () => {
  const fresh = await resolve(toExternalFocus('hubspot', '17')!);
  expect(fresh).toMatchObject({ created: true, conflicts: [] });
  const { entity_id } = await record(acme, 'bo@acme.com', [state('title', 'x')]);
  const bo = await resolve(parseFocus('bo@acme.com') as PreciseFocus, toExternalFocus('hubspot', '17')!);
  expect(bo).toMatchObject({
    id: entity_id,
    conflicts: [{ identifier: { kind: 'hubspot' }, owner: { id: fresh.id } }],
  });
});

it('equal ids of two systems are two identifiers, and case matters', async () => {
  const [one, two, three] = [
    await resolve(toExternalFocus('apollo', 'a1')!),
    await resolve(toExternalFocus('attio', 'a1')!),
    await resolve(toExternalFocus('apollo', 'A1')!),
  ];
  expect(new Set([one.id, two.id, three.id]).size).toBe(3);
});

it.each(['', '  ', 'x'.repeat(321), 'a\nb'])('%j is no id', id => {
  expect(toExternalFocus('hubspot', id)).toBeUndefined();
});
