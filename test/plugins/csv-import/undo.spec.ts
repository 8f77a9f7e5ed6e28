import { fileURLToPath } from 'node:url';
import { record, state, tryAccount } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

const PLUGINS_DIR = fileURLToPath(new URL('../../../plugins', import.meta.url));
const IMPORTS = '/v2/plugins/csv-import/imports';
const RUNS = '/v2/plugins/csv-import/runs';

interface Run {
  readonly id: string;
  readonly status: string;
  readonly result: Record<string, number>;
}

let hub: TestHub;
let client: Client;
beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR });
});
beforeEach(async () => {
  client = await hub.workspace();
});
afterAll(() => hub?.end());

const FILE = `Name,Email,Title,Company,Website,Phone,Notes
Ada Byron,ada@acme.io,CTO,Acme,https://acme.io,+49 30 1234567,Met in Berlin about xylophones
Bo Ray,bo@beta.dev,Buyer,Beta,https://beta.dev,,
Cy Twombly,cy@gamma.art,Painter,Gamma,https://gamma.art,,Prefers mail
`;

async function upload(content: string): Promise<string> {
  const response = await fetch(hub.url + IMPORTS, {
    method: 'POST',
    headers: { authorization: `Bearer ${client.key}`, 'content-type': 'text/csv' },
    body: content,
  });
  return ((await response.json()) as { import: { id: string } }).import.id;
}

async function finish(path: string, body: object = {}): Promise<Run> {
  const started = await client.post<{ run: { id: string } }>(path, body);
  expect(started.status).toBe(202);
  return until('the run has ended', async () => {
    const { body: run } = await client.get<Run>(`${RUNS}/${started.body.run.id}`);
    return ['finished', 'failed'].includes(run.status) && run;
  });
}
const start = (id: string, body: object = {}) => finish(`${IMPORTS}/${id}/start`, body);
const undo = (id: string, body: object = {}) => finish(`${IMPORTS}/${id}/undo`, body);

const readClaims = async () =>
  (
    await hub.database.pool.query<{ entity_id: string; property: string; state: string }>(
      'SELECT entity_id, property, state FROM claims WHERE workspace_id = $1 ORDER BY entity_id, property',
      [client.workspaceId],
    )
  ).rows;
const listNames = async () =>
  (await client.get<{ people: { name: string }[] }>('/v2/people')).body.people.map(({ name }) => name).toSorted();

describe('POST /v2/plugins/csv-import/imports/:id/undo', () => {
  it('returns all claims to what they were, and the import can be repeated', async () => {
    await record(client, 'ada@acme.io', [state('name', 'Ada Byron'), state('title', 'CFO', { source: 'crm:a' })]);
    await record(client, 'acme.io', [state('name', 'Acme Limited', { source: 'crm:a' })]);
    const before = await readClaims();
    const id = await upload(FILE);
    await start(id);
    const imported = await listNames();
    expect(imported).toEqual(['Ada Byron', 'Bo Ray', 'Cy Twombly']);

    const counted = await undo(id, { dry_run: true });
    expect(counted.result).toMatchObject({ notes: 2, leads: 0 });
    expect(await listNames()).toEqual(imported);

    const { result } = await undo(id, { reason: 'wrong file' });
    expect(result).toMatchObject({ observations: counted.result['observations'], notes: 2, entities_removed: 4 });
    expect(await readClaims()).toEqual(before);
    expect(await listNames()).toEqual(['Ada Byron']);
    expect((await tryAccount(client, 'bo@beta.dev')).status).toBe(404);

    await start(id);
    expect(await listNames()).toEqual(imported);
  });

  it('removes the lead list that the import made, but not leads that somebody has worked', async () => {
    const id = await upload(FILE);
    const { result } = await start(id, { target: 'leads', list: 'Fair' });
    expect(result).toMatchObject({ leads: 3 });
    const { body } = await client.get<{ leads: { id: string; email: string }[] }>('/v2/leads');
    const worked = body.leads.find(({ email }) => email === 'bo@beta.dev')!;
    await client.patch(`/v2/leads/${worked.id}`, { status: 'sent' });
    expect((await undo(id)).result).toMatchObject({ leads: 2 });
    const after = await client.get<{ leads: { id: string }[] }>('/v2/leads');
    expect(after.body.leads.map(lead => lead.id)).toEqual([worked.id]);

    const listLists = async () =>
      (await client.get<{ lead_lists: { name: string }[] }>('/v2/lead-lists')).body.lead_lists.map(({ name }) => name);
    expect(await listLists()).toEqual(['Fair']);
    const other = await upload(`${FILE}Di Hart,di@delta.dev,Buyer,Delta,,,\n`);
    await start(other, { target: 'leads', list: 'Second' });
    expect((await listLists()).toSorted()).toEqual(['Fair', 'Second']);
    await undo(other);
    expect(await listLists()).toEqual(['Fair']);
  });

  it('is listed with the import, and a second one finds nothing', async () => {
    const id = await upload(FILE);
    await start(id);
    const first = await undo(id);
    const { body } = await client.get<{ import: { runs: object[] } }>(`${IMPORTS}/${id}`);
    expect(body.import.runs).toMatchObject([
      { id: first.id, kind: 'undo', target: null, result: null, retracted: first.result },
      { kind: 'import', target: 'people', retracted: null },
    ]);
    expect((await undo(id)).result).toEqual({ observations: 0, notes: 0, leads: 0, entities_removed: 0 });
  });

  it('waits for the end of the import, and refuses what it does not know', async () => {
    const id = await upload(FILE);
    const run = await start(id, { target: 'companies' });
    await hub.database.pool.query(`UPDATE plugin_runs SET status = 'paused' WHERE id = $1`, [run.id]);
    const refused = await client.post<{ error: string }>(`${IMPORTS}/${id}/undo`, {});
    expect(refused).toMatchObject({ status: 409, body: { error: 'import_running' } });
    expect((await client.post(`${IMPORTS}/0000000000000000/undo`, {})).status).toBe(404);
    const wrong = await client.post<{ error: string }>(`${IMPORTS}/${id}/undo`, { dry_run: 'yes' });
    expect(wrong.status).toBe(400);
  });
});
