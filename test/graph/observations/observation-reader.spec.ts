import type { ObservationResponse } from '#graph/observations/observation-reader.service.js';
import { eraseWholly } from '../../support/graph/erasure-calls.js';
import { record, state } from '../../support/graph/graph-calls.js';
import { merge } from '../../support/graph/merge-calls.js';
import type { Client, TestHub } from '../../support/hub.js';
import { hubForSuite } from '../../support/hub-for-suite.js';

let hub: TestHub;
let client: Client;

hubForSuite(
  made => (client = made),
  started => (hub = started),
);

const read = (id: string, query = '') => client.get<ObservationResponse>(`/v2/observations/${id}${query}`);
const at = '2026-11-02T09:00:00.000000Z';

describe('GET /v2/observations/:id', () => {
  it('returns what was recorded, and the payload of its source on demand', async () => {
    const raw = { properties: { jobtitle: 'CTO' } };
    const title = state('title', 'CTO', {
      source: 'crm:hubspot',
      method: 'sync',
      external_id: '7',
      observed_at: at,
      raw,
    });
    const { entity_id, observation_ids } = await record(client, 'ada@gmail.com', [title, state('city', 'Berlin')]);
    const { status, body } = await read(observation_ids[0]!);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: observation_ids[0],
      entity_id,
      merged_into: null,
      kind: 'state',
      property: 'title',
      value: 'CTO',
      source: 'crm:hubspot',
      method: 'sync',
      observed_at: at,
      recorded_at: expect.any(String),
      external_id: '7',
      retracted_at: null,
    });
    expect((await read(observation_ids[0]!, '?raw=true')).body).toEqual({ ...body, raw });
    expect((await read(observation_ids[1]!, '?raw=true')).body.raw).toBeNull();
  });

  it('says that an observation was retracted, and where its entity is now', async () => {
    const first = await record(client, 'ada@gmail.com', [state('title', 'CTO'), state('city', 'Berlin')]);
    const second = await record(client, 'ada@gmail.de', [state('title', 'CIO')]);
    await client.post(`/v2/observations/${first.observation_ids[0]}/retract`, {});
    expect((await read(first.observation_ids[0]!)).body.retracted_at).toMatch(/^\d{4}-/);
    await merge(client, 'ada@gmail.com', 'ada@gmail.de');
    const bodies = [await read(first.observation_ids[0]!), await read(second.observation_ids[0]!)].map(
      each => each.body,
    );
    expect(bodies.map(({ entity_id }) => entity_id)).toEqual([first.entity_id, second.entity_id]);
    const merged = bodies.map(({ merged_into }) => merged_into).filter(id => id !== null);
    expect(merged).toHaveLength(1);
    expect([first.entity_id, second.entity_id]).toContain(merged[0]);
  });

  it('returns 404 for an unknown ID, one of another workspace and one that was erased', async () => {
    const { observation_ids } = await record(client, 'ada@gmail.com', [state('title', 'CTO')]);
    const other = await hub.workspace();
    const path = `/v2/observations/${observation_ids[0]}`;
    expect(await other.get(path)).toMatchObject({ status: 404, body: { error: 'not_found' } });
    expect((await read('01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17')).status).toBe(404);
    expect((await read('none')).status).toBe(404);
    expect(await read(observation_ids[0]!, '?raw=yes')).toMatchObject({
      status: 400,
      body: { details: [{ field: 'raw' }] },
    });
    await eraseWholly(hub, client, 'ada@gmail.com');
    expect((await read(observation_ids[0]!)).status).toBe(404);
  });
});
