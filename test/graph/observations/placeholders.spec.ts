import { account, type ErrorBody, record, state, tryRecord } from '../../support/graph/graph-calls.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';

const ADA = 'ada@acme.com';

interface Written extends ErrorBody {
  readonly claims_recomputed: readonly string[];
  readonly warnings?: readonly { readonly field: string; readonly message: string }[];
}

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub({ ROLE: 'api' });
});
beforeEach(async () => {
  acme = await hub.workspace();
});
afterAll(() => hub?.end());

describe('POST /v2/observations', () => {
  it.each(['N/A', '-', 'unknown', 'none', 'test', 'null', '', 'k. A.', 'non renseigné', '不明'])(
    'refuses %j and names the field and the fix',
    async value => {
      const { status, body } = await tryRecord(acme, ADA, [state('title', 'CEO'), state('company', value)]);
      expect(status).toBe(400);
      expect(body).toMatchObject({
        error: 'invalid_request',
        details: [{ index: 1, field: 'value', message: expect.stringMatching(/placeholder.*null/) }],
      });
      expect((await acme.get(`/v2/accounts/${ADA}`)).status).toBe(404);
    },
  );

  it('names the member of a list that is a placeholder', async () => {
    const { body } = await tryRecord(acme, ADA, [state('technologies', ['Go', 'n/a'])]);
    expect(body).toMatchObject({ details: [{ message: expect.stringMatching(/^value\[1\] is "n\/a"/) }] });
  });

  it('takes what only contains such a word, and the country NA', async () => {
    await record(acme, ADA, [state('title', 'Test Engineer'), state('country', 'NA'), state('opt_in', false)]);
    expect(Object.keys((await account(acme, ADA)).claims).toSorted()).toEqual(
      expect.arrayContaining(['country', 'opt_in', 'title']),
    );
  });
});

describe('a placeholder that was recorded before', () => {
  it('states nothing once its claims are rebuilt', async () => {
    const { entity_id } = await record(acme, ADA, [state('title', 'CEO')]);
    const past = `INSERT INTO observations (workspace_id, id, entity_id, kind, property, value, source, method, observed_at,
        recorded_at, digest)
      SELECT workspace_id, gen_random_uuid(), entity_id, kind, property, '"N/A"', 'csv', 'import', observed_at + '1 day',
        recorded_at, sha256('before') FROM observations WHERE workspace_id = $1 AND entity_id = $2 AND property = 'title'`;
    await hub.database.pool.query(past, [acme.workspaceId, entity_id]);
    await record(acme, ADA, [state('title', 'CEO', { source: 'linkedin', observed_at: '2020-01-01' })]);
    expect((await account(acme, ADA)).claims['title']).toMatchObject({
      value: 'CEO',
      opposing: [],
      observation_count: 2,
    });
  });
});

describe('forms and tables', () => {
  it('POST /v2/people ignores placeholders and says so', async () => {
    const { status, body } = await acme.post<Written>('/v2/people', {
      email: ADA,
      linkedin_url: 'n/a',
      title: 'N/A',
      company: 'Acme',
      properties: { technologies: ['Go', '-'] },
    });
    expect(status).toBe(201);
    expect(body.warnings?.map(({ field }) => field).toSorted()).toEqual(['linkedin_url', 'technologies[1]', 'title']);
    expect((await account(acme, ADA)).claims['technologies']).toMatchObject({ value: ['Go'] });
    expect(body.claims_recomputed).not.toContain('title');
  });

  it('PATCH /v2/people refuses them', async () => {
    await acme.post('/v2/people', { email: ADA, title: 'CEO' });
    const { status, body } = await acme.patch<Written>('/v2/people', { focus: ADA, title: 'unknown' });
    expect(status).toBe(400);
    expect(body).toMatchObject({ details: [{ field: 'title', message: expect.stringMatching(/placeholder/) }] });
  });

  it('POST /v2/lead-lists/attach ignores them row by row and says so', async () => {
    const rows = [
      { email: ADA, title: 'tbd' },
      { email: 'bo@acme.com', title: 'CTO' },
    ];
    const { body } = await acme.post<{ results: Written[] }>('/v2/lead-lists/attach', { name: 'Q4', rows });
    expect(body.results.map(({ warnings }) => warnings)).toEqual([
      [{ field: 'title', message: '"tbd" is a placeholder and was ignored.' }],
      undefined,
    ]);
  });
});
