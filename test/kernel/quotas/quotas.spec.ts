import { DEFAULT_QUOTAS, parseQuotas } from '#kernel/quotas/quota-limits.js';
import { DurableCounters } from '#kernel/limits/usage-store.js';
import { type Client, type TestHub, startTestHub } from '../../support/hub.js';
import { until } from '../../support/until.js';

let hub: TestHub;
beforeAll(async () => {
  const quotas = {
    people: 5,
    observations_per_day: 20,
    notes: 3,
    storage_mb: 1,
    api_keys: 3,
    connections: 0,
  };
  const text = Object.entries(quotas).map(([name, limit]) => `starter.${name}=${limit}`);
  hub = await startTestHub({ QUOTAS: text.join(',') });
});
afterAll(() => hub?.end());

interface Status {
  readonly quotas: Record<string, { limit: number | null; used: number }>;
}
const readQuotas = async (client: Client) => (await client.get<Status>('/v2/workspace/status')).body.quotas;
const observe = (client: Client, focus: string, count = 1, value: unknown = 'x') =>
  client.post<{ error?: string }>('/v2/observations', {
    focus,
    observations: Array.from({ length: count }, (_, i) => ({
      kind: 'event',
      property: 'interaction.email_sent',
      value: { n: i, value },
    })),
  });

/** A workspace whose usage this process has counted. */
async function counted(): Promise<Client> {
  const client = await hub.workspace('starter');
  await client.get('/v2/workspace/status');
  return client;
}

const refusal = (quota: string, limit: number, used: unknown = limit) => ({
  status: 403,
  body: { error: 'quota_exceeded', detail: expect.any(String), quota, limit, used, request_id: expect.any(String) },
});

describe('a quota that is used up', () => {
  it('refuses new people, while known ones can be written and everything can be read', async () => {
    const client = await counted();
    for (let i = 0; i < 5; i++) expect((await observe(client, `p${i}@example.com`)).status).toBe(200);
    expect(await observe(client, 'p6@example.com')).toMatchObject(refusal('people', 5));
    expect(await client.post('/v2/people', { email: 'p7@example.com' })).toMatchObject(refusal('people', 5));
    expect((await observe(client, 'p0@example.com')).status).toBe(200);
    for (const path of ['/v2/accounts/p0@example.com', '/v2/people', '/v2/workspace/status'])
      expect((await client.get(path)).status).toBe(200);
    expect((await client.post('/v2/notes/search', { question: 'price?' })).status).toBe(200);
    expect((await readQuotas(client))['people']).toEqual({ limit: 5, used: 5 });
  });

  it('refuses observations beyond those of a day, also at once', async () => {
    const client = await counted();
    expect(await observe(client, 'a@example.com', 21)).toMatchObject(refusal('observations_per_day', 20, 0));
    const answers = await Promise.all(Array.from({ length: 40 }, () => observe(client, 'a@example.com')));
    const admitted = answers.filter(({ status }) => status === 200).length;
    const refused = answers.filter(({ body }) => body.error === 'quota_exceeded').length;
    expect(admitted + refused).toBe(40);
    expect(refused).toBeGreaterThan(0);
    expect((await readQuotas(client))['observations_per_day']!.used).toBeGreaterThanOrEqual(20);
  });

  it('refuses notes, stored bytes and keys', async () => {
    const client = await counted();
    const save = (content: string) => client.post('/v2/notes', { focus: 'a@example.com', content });
    for (let i = 0; i < 3; i++) expect((await save(`note ${i}`)).status).toBe(201);
    expect(await save('one more')).toMatchObject(refusal('notes', 3));

    const large = await counted();
    const big = 'x'.repeat(190_000);
    const note = { focus: 'a@example.com', content: big };
    expect(await large.post('/v2/notes', note)).toMatchObject(refusal('storage_mb', 1, 0));

    const keys = ['one', 'two'].map(name => client.post('/v2/api-keys', { name }));
    expect((await Promise.all(keys)).map(({ status }) => status)).toEqual([201, 201]);
    expect(await client.post('/v2/api-keys', { name: 'three' })).toMatchObject(refusal('api_keys', 3));
  });

  it('is counted for dry runs and refused writes as nothing', async () => {
    const client = await counted();
    for (let i = 0; i < 10; i++) await client.post('/v2/people', { email: `dry${i}@example.com`, dry_run: true });
    await observe(client, 'a@example.com', 21);
    expect((await readQuotas(client))['people']).toEqual({ limit: 5, used: 0 });
    expect((await readQuotas(client))['connections']).toEqual({ limit: null, used: 0 });
  });

  it('is known to every process, and stands on /metrics', async () => {
    const client = await counted();
    await observe(client, 'a@example.com', 15);
    const counters = hub.app.get(DurableCounters, { strict: false });
    await until('the counters are stored', async () => {
      await counters.runNow();
      const rows = await hub.database.work.system(tx =>
        tx.query('SELECT FROM usage_counters WHERE workspace_id = $1 AND name = $2 AND amount >= 15', [
          client.workspaceId,
          'observations',
        ]),
      );
      return rows.length === 1;
    });
    const metrics = await (await fetch(`${hub.url}/metrics`)).text();
    expect(metrics).toMatch(/rapport_quota_refusals_total\{quota="people",plan="starter"\} [1-9]/);
    expect(metrics).toContain('rapport_quota_used_ratio{quota="people",plan="starter"} 1\n');
    expect(metrics).toMatch(/rapport_quota_workspaces_near_limit\{quota="people",plan="starter"\} [1-9]/);
    expect(metrics).not.toContain(client.workspaceId);
  });
});

describe('QUOTAS', () => {
  it('changes single quotas, and is the defaults otherwise', () => {
    expect(parseQuotas('')).toEqual(DEFAULT_QUOTAS);
    expect(parseQuotas('starter.people=1, scale.notes=0')).toMatchObject({
      starter: { ...DEFAULT_QUOTAS.starter, people: 1 },
      growth: DEFAULT_QUOTAS.growth,
      scale: { ...DEFAULT_QUOTAS.scale, notes: 0 },
    });
  });

  it.each(['people=1', 'free.people=1', 'starter.persons=1', 'starter.people=-1', 'starter.people=x'])(
    'refuses "%s"',
    text => expect(typeof parseQuotas(text)).toBe('string'),
  );
});
