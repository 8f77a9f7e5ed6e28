import type { MergePreviewResponse } from '#graph/accounts/merge-preview.service.js';
import { account, type ErrorBody, record, state } from '../../support/graph/graph-calls.js';
import { merge } from '../../support/graph/merge-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

let hub: TestHub;
let client: Client;

beforeAll(async () => {
  hub = await startTestHub();
});
beforeEach(async () => {
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const preview = (a: string, b: string) =>
  client.get<MergePreviewResponse & ErrorBody>(
    `/v2/accounts/merge-preview?${new URLSearchParams({ a, b }).toString()}`,
  );

describe('GET /v2/accounts/merge-preview', () => {
  it('shows both, and each claim as the merge makes it', async () => {
    const said = (value: string, source: string, day: string) =>
      state('title', value, { source, observed_at: `2026-${day}T09:00:00Z` });
    const one = await record(client, 'anna@acme.example', [
      state('name', 'Anna Keller'),
      said('CFO', 'crm:a', '03-01'),
      said('COO', 'user', '09-01'),
      state('city', 'Berlin'),
    ]);
    const other = await record(client, 'a.keller@acme.example', [
      state('name', 'Anna Keller'),
      said('CFO', 'linkedin', '10-01'),
      said('CFO', 'form:web', '10-02'),
      state('languages', ['de', 'en']),
    ]);
    const { body } = await preview('anna@acme.example', other.entity_id);
    expect(body.entities).toMatchObject([
      { entity_id: one.entity_id, name: 'Anna Keller', identifiers: [{ kind: 'email', value: 'anna@acme.example' }] },
      { entity_id: other.entity_id, identifiers: [{ kind: 'email', value: 'a.keller@acme.example' }] },
    ]);
    expect(body.entities.map(({ claims }) => claims.find(({ property }) => property === 'title')!.value)).toEqual([
      (await account(client, one.entity_id)).claims['title']!.value,
      'CFO',
    ]);
    const before = await account(client, one.entity_id);

    await merge(client, one.entity_id, other.entity_id);
    const after = await account(client, one.entity_id);
    const shownOf = (claims: MergePreviewResponse['claims']) =>
      claims.map(({ property, value, status, epistemic_class, freshness, sources, opposing }) => ({
        property,
        value,
        status,
        epistemic_class,
        freshness,
        sources: sources.map(({ source }) => source),
        opposing: opposing.map(each => each.value),
      }));
    expect(shownOf(body.claims)).toEqual(
      shownOf(Object.values(after.claims) as unknown as MergePreviewResponse['claims']),
    );
    expect(Object.keys(after.claims)).not.toEqual(Object.keys(before.claims));
  });

  it('refuses what cannot be merged, and names a field that is missing', async () => {
    const one = await record(client, 'anna@acme.example', [state('name', 'Anna Keller')]);
    await record(client, 'acme.example', [state('name', 'Acme')]);
    expect(await preview('anna@acme.example', 'acme.example')).toMatchObject({
      status: 400,
      body: { error: 'merge_impossible' },
    });
    expect(await preview('anna@acme.example', one.entity_id)).toMatchObject({
      status: 400,
      body: { error: 'same_entity' },
    });
    expect(await preview('anna@acme.example', 'nobody@acme.example')).toMatchObject({ status: 404 });
    expect(await preview('anna@acme.example', '')).toMatchObject({ status: 400, body: { details: [{ field: 'b' }] } });
  });
});
