import { IdempotencyKeySweeper } from '#kernel/idempotency/idempotency.module.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { listenTo } from '../../support/database/statements.js';
import { expectClaimsConsistent } from '../../support/graph/expect-claims-consistent.js';

let hub: TestHub;
let acme: Client;

beforeAll(async () => {
  hub = await startTestHub();
  acme = await hub.workspace();
});
afterAll(() => hub.end());

interface Recorded {
  entity_id: string;
  recorded: number;
  claims_recomputed: string[];
  duplicates: number;
  conflicts: { index: number; external_id: string; existing_id: string }[];
  observation_ids: string[];
  entity_created: boolean;
}

const record = (focus: string, observations: object[], headers = {}) =>
  acme.post<Recorded>('/v2/observations', { focus, observations }, headers);
const title = (value: unknown, more = {}) => ({ kind: 'state', property: 'title', value, ...more });

describe('POST /v2/observations', () => {
  it('stores claims of many megabytes in parts, and loses none', async () => {
    const own = await hub.workspace();
    const facts = Array.from({ length: 1_000 }, (_, i) => ({
      kind: 'state',
      property: `fact_${i}`,
      value: `${i} ${'漢é'.repeat(1_000)}`,
    }));
    const log = listenTo(hub.database.pool);
    const { status, body } = await own.post<Recorded>('/v2/observations', {
      focus: 'big@acme.com',
      observations: facts,
    });
    expect({ status, recorded: body.recorded }).toEqual({ status: 200, recorded: 1_000 });
    const upserts = log
      .of('rapport_app')
      .flat()
      .filter(({ sql }) => sql.includes('INTO claims'));
    expect(upserts.length).toBeGreaterThan(1);
    await expectClaimsConsistent(hub.database.pool, own.workspaceId);
  });

  it('makes the entity, appends and derives', async () => {
    const { status, body } = await record('ada@acme.com', [
      title('VP Sales'),
      { kind: 'event', property: 'interaction.call_held', value: { minutes: 12 } },
    ]);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      recorded: 2,
      claims_recomputed: ['title'],
      duplicates: 0,
      conflicts: [],
      entity_created: true,
    });
    expect(body.observation_ids).toHaveLength(2);
  });

  it('knows one mailbox in all its spellings', async () => {
    const first = await record('Grace.Hopper+crm@googlemail.com', [title('Admiral')]);
    const again = await record('Grace Hopper <gracehopper@gmail.com>', [title('Rear Admiral')]);
    expect(again.body).toMatchObject({ entity_id: first.body.entity_id, entity_created: false });
  });

  it('reports nothing for events that state nothing, and the status of an address for those that do', async () => {
    const event = (property: string) => ({ kind: 'event', property: `interaction.${property}` });
    expect((await record('lin@acme.com', [event('email_sent')])).body.claims_recomputed).toEqual([]);
    expect((await record('lin@acme.com', [event('email_bounced')])).body.claims_recomputed).toEqual(['email_status']);
    expect((await record('lin@acme.com', [event('unsubscribed')])).body.claims_recomputed).toEqual([
      'do_not_contact',
      'email_status',
    ]);
  });

  it('records one external id once, and keeps the first of two contents', async () => {
    const first = await record('bo@acme.com', [title('CFO', { external_id: 'x1' })]);
    const again = await record('bo@acme.com', [title('CFO', { external_id: 'x1' })]);
    expect(again.body).toMatchObject({ recorded: 0, duplicates: 1, conflicts: [], claims_recomputed: [] });
    const other = await record('bo@acme.com', [title('CEO', { external_id: 'x1' })]);
    expect(other.body).toMatchObject({ recorded: 0, duplicates: 0 });
    expect(other.body.conflicts).toEqual([{ index: 0, external_id: 'x1', existing_id: first.body.observation_ids[0] }]);
    const twice = await record('bo@acme.com', [title('A', { external_id: 'x2' }), title('A', { external_id: 'x2' })]);
    expect(twice.body).toMatchObject({ recorded: 1, duplicates: 1 });
  });

  it('takes a batch whole or not at all', async () => {
    const { status, body } = await acme.post<{ error: string; details: object[] }>('/v2/observations', {
      focus: 'whole@acme.com',
      observations: [
        title('CEO'),
        { kind: 'state', value: 1 },
        { kind: 'event', property: 'title' },
        title('x', { observed_at: 'soon' }),
      ],
    });
    expect(status).toBe(400);
    expect(body.error).toBe('invalid_request');
    expect(body.details).toMatchObject([
      { index: 1, field: 'property' },
      { index: 2, field: 'property' },
      { index: 3, field: 'observed_at' },
    ]);
    expect((await acme.get('/v2/accounts/whole@acme.com')).status).toBe(404);
  });

  it.each([
    [{ focus: 'Ada Lovelace', observations: [title('x')] }, 'invalid_focus'],
    [{ focus: 'ada@acme', observations: [title('x')] }, 'invalid_focus'],
    [{ focus: '', observations: [title('x')] }, 'focus_and_observations_required'],
    [{ focus: 7, observations: [title('x')] }, 'focus_and_observations_required'],
    [{ observations: [title('x')] }, 'focus_and_observations_required'],
    [{ focus: 'ada@acme.com' }, 'focus_and_observations_required'],
    [[], 'focus_and_observations_required'],
    [null, 'focus_and_observations_required'],
    [{ focus: 'ada@acme.com', observations: [] }, 'invalid_request'],
    [{ focus: 'ada@acme.com', observations: 'x' }, 'invalid_request'],
    [{ focus: 'ada@acme.com', observations: [title('x')], workspace_id: 'x' }, 'invalid_request'],
    [{ focus: 'ada@acme.com', observations: [title('x', { confidence: 1 })] }, 'invalid_request'],
    [{ focus: 'ada@acme.com', observations: [title('a\u0000b')] }, 'invalid_request'],
    [{ focus: 'ada@acme.com', observations: [{ kind: 'state', property: 'title' }] }, 'invalid_request'],
    [{ focus: 'ada@acme.com', observations: Array.from({ length: 1001 }, () => title('x')) }, 'batch_too_large'],
    ['{"focus":', 'invalid_json'],
  ])('refuses %j with 400 %s', async (body, error) => {
    const answer = await acme.post<{ error: string; detail: string; request_id: string }>('/v2/observations', body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error, detail: expect.any(String), request_id: expect.any(String) });
  });

  it('answers 404 to an id that nobody has', async () => {
    const { status, body } = await record('01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17', [title('x')]);
    expect({ status, body }).toMatchObject({ status: 404, body: { error: 'entity_not_found' } });
  });

  it('lets an address that is stated for somebody identify them', async () => {
    const profile = await record('https://www.linkedin.com/in/mary-jackson/', [
      { kind: 'state', property: 'email', value: 'mary@nasa.example' },
    ]);
    const { body } = await record('MARY@nasa.example', [title('Engineer')]);
    expect(body).toMatchObject({ entity_id: profile.body.entity_id, entity_created: false });
  });

  it('links the company that a work e-mail names, without counting it', async () => {
    const { body } = await record('kay@initech.com', [title('Dev')]);
    expect(body).toMatchObject({ recorded: 1, claims_recomputed: ['title'] });
    const account = await acme.get<{ entity: { company: object }; claims: Record<string, object> }>(
      '/v2/accounts/kay@initech.com',
    );
    expect(account.body.entity.company).toMatchObject({ domain: 'initech.com' });
    expect(account.body.claims['company']).toMatchObject({
      value: 'initech.com',
      epistemic_class: 'inferred',
      confidence: 0.5,
    });
    await record('kay@initech.com', [{ kind: 'state', property: 'company', value: 'Initech Inc.' }]);
    const stated = await acme.get<{ claims: Record<string, object> }>('/v2/accounts/kay@initech.com');
    expect(stated.body.claims['company']).toMatchObject({
      value: 'Initech Inc.',
      confidence: 0.75,
      epistemic_class: 'asserted',
    });
  });

  it('links no company for free mail and for machines', async () => {
    for (const focus of ['kay.test@gmail.com', 'noreply@initech.com']) {
      await record(focus, [title('x')]);
      const { body } = await acme.get<{ entity: { company: null } }>(`/v2/accounts/${focus}`);
      expect(body.entity.company).toBeNull();
    }
  });
});

describe('Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'order-1' };

  it('gives a repeated request the first answer, and says so', async () => {
    const first = await record('idem@acme.com', [title('One')], headers);
    const again = await record('idem@acme.com', [title('One')], headers);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    const account = await acme.get<{ recent_observations: { property: string }[] }>('/v2/accounts/idem@acme.com');
    expect(account.body.recent_observations.filter(o => o.property === 'title')).toHaveLength(1);
  });

  it('refuses the key for another request, which changes nothing', async () => {
    const { status, body } = await record('nobody@acme.com', [title('Two')], headers);
    expect({ status, body }).toMatchObject({ status: 409, body: { error: 'idempotency_conflict' } });
    expect((await acme.get('/v2/accounts/nobody@acme.com')).status).toBe(404);
  });

  it('lets one of many requests at once work, and the others wait or replay', async () => {
    const many = await Promise.all(
      Array.from({ length: 20 }, () => record('race@acme.com', [title('Racer')], { 'idempotency-key': 'race' })),
    );
    expect(new Set(many.map(({ status }) => status))).toEqual(
      new Set(many.some(m => m.status === 409) ? [200, 409] : [200]),
    );
    const account = await acme.get<{ recent_observations: { property: string }[] }>('/v2/accounts/race@acme.com');
    expect(account.body.recent_observations.filter(o => o.property === 'title')).toHaveLength(1);
  });

  it('is forgotten after a day and not before, a bounded number at a time', async () => {
    const [old, young] = [{ 'idempotency-key': 'a-day-ago' }, { 'idempotency-key': 'today' }];
    for (const key of [old, young]) await record('day@acme.com', [title('One')], key);
    const { pool } = hub.database;
    await pool.query(`UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = 'a-day-ago'`);
    await pool.query(`UPDATE idempotency_keys SET created_at = now() - interval '23 hours' WHERE key = 'today'`);
    await pool.query(
      `INSERT INTO idempotency_keys (workspace_id, key, request_hash, status, body, created_at)
       SELECT $1, 'old ' || n, '', 200, '{}', now() - interval '2 days' FROM generate_series(1, 5000) AS n`,
      [acme.workspaceId],
    );
    const log = listenTo(pool);
    expect(await hub.app.get(IdempotencyKeySweeper, { strict: false }).sweep()).toBe(5001);
    const deletes = log
      .of('rapport_system')
      .flat()
      .filter(({ sql }) => sql.includes('DELETE FROM idempotency_keys'));
    expect(deletes).toHaveLength(2);
    expect((await record('day@acme.com', [title('One')], young)).headers.get('idempotent-replayed')).toBe('true');
    expect((await record('day@acme.com', [title('Two')], old)).body.recorded).toBe(1);
  });

  it('refuses a key that is no key', async () => {
    const { status, body } = await record('idem@acme.com', [title('One')], { 'idempotency-key': 'a b' });
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });
});
