import { MATCH_ALL } from '#domain/filters/filter.js';
import { leadListFields, leadsSource } from '#graph/leads/leads.source.js';
import { readListRequest } from '#graph/lists/list-request.js';
import { readPageKeys } from '#graph/lists/page.queries.js';
import { peopleListFields, peopleSource } from '#graph/people/people.source.js';
import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { listenTo, type StatementLog } from '../../support/database/statements.js';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly Plans?: Plan[];
  readonly 'Shared Hit Blocks'?: number;
  readonly 'Shared Read Blocks'?: number;
}

let hub: TestHub;
let client: Client;
let log: StatementLog;

const PEOPLE = 20_000;
/** Pages of a thousand to go down: who skipped rows would touch each of those above. */
const DEEP = 6;

/** SQL for an id that looks like ours. */
const idOf = (sql: string) => `overlay(overlay(md5(${sql}) placing '7' from 13) placing '8' from 17)::uuid`;

beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  client = await hub.workspace();
  const { pool } = hub.database;
  const params = [client.workspaceId, PEOPLE];
  await pool.query(
    `INSERT INTO entities (workspace_id, id, type, name, name_key, last_activity_at)
     SELECT $1, ${idOf("'p' || i")}, 'person', 'P ' || i, 'p ' || i,
            CASE WHEN i % 10 > 0 THEN now() - i * interval '1 minute' END
     FROM generate_series(1, $2::int) AS i`,
    params,
  );
  await pool.query(
    `INSERT INTO entities (workspace_id, id, type, name, name_key)
     SELECT $1, ${idOf("'c' || i")}, 'company', 'C ' || i, CASE WHEN i % 10 > 0 THEN 'c ' || i END
     FROM generate_series(1, $2::int / 2) AS i`,
    params,
  );
  await pool.query(
    `INSERT INTO identifiers (workspace_id, kind, key, value, entity_id)
     SELECT $1, 'domain', 'c' || i || '.com', 'c' || i || '.com', ${idOf("'c' || i")}
     FROM generate_series(1, $2::int / 2) AS i`,
    params,
  );
  await pool.query(
    `INSERT INTO claims (workspace_id, entity_id, property, state, value, text_value, confidence, epistemic_class, supported_at)
     SELECT $1, ${idOf("'c' || i")}, 'industry', '{}', to_jsonb('industry ' || i % 50), 'industry ' || i % 50, 0.75, 'asserted', now()
     FROM generate_series(1, $2::int / 2) AS i`,
    params,
  );
  await pool.query(
    `INSERT INTO identifiers (workspace_id, kind, key, value, entity_id)
     SELECT $1, 'email', 'p' || i || '@acme.com', 'p' || i || '@acme.com', ${idOf("'p' || i")}
     FROM generate_series(1, $2::int) AS i`,
    params,
  );
  await pool.query(
    `INSERT INTO claims (workspace_id, entity_id, property, state, value, text_value, number_value, confidence, epistemic_class, supported_at)
     SELECT $1, ${idOf("'p' || i")}, property, '{}', to_jsonb(text), text, number, 0.75, 'asserted', now()
     FROM generate_series(1, $2::int) AS i, LATERAL (VALUES
       ('title', 'title ' || i % 500, NULL::float8), ('about', repeat('about ', 50) || CASE WHEN i % 997 = 0 THEN 'at the very end' END, NULL), ('lead_score', (i % 100)::text, (i % 100)::float8)) AS c (property, text, number)`,
    params,
  );
  await pool.query(
    `INSERT INTO lead_lists (workspace_id, id, name, source) SELECT $1, ${idOf("'l'")}, 'L', 'x'`,
    params.slice(0, 1),
  );
  await pool.query(
    `INSERT INTO leads (workspace_id, id, list_id, entity_id, priority, created_at)
     SELECT $1, ${idOf("'l' || i")}, ${idOf("'l'")}, ${idOf("'p' || i")}, (i % 101)::int, now() - i * interval '1 second'
     FROM generate_series(1, $2::int) AS i`,
    params,
  );
  await pool.query('ANALYZE entities, claims, leads, identifiers');
  log = listenTo(pool);
});
afterAll(() => hub?.end());

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The plans of the statements by which a list is read, with the blocks that each touched. */
async function plansOf(path: string): Promise<{ tables: string[]; blocks: number }> {
  log.clear();
  const { status } = await client.get(path);
  expect(status).toBe(200);
  const all = log.of('rapport_app').flat();
  const sent = all.filter(({ sql }) => /^\s*SELECT (?!set_config)/.test(sql));
  const settings = all.filter(({ sql }) => /^\s*SELECT set_config\('enable_seqscan'/.test(sql));
  const plans = await hub.database.work.run(client.workspaceId, async tx => {
    const found: Plan[] = [];
    for (const { sql } of settings) await tx.query(sql);
    for (const { sql, values } of sent) {
      const [row] = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
        `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`,
        values,
      );
      found.push(row!['QUERY PLAN'][0]!.Plan);
    }
    return found;
  });
  const scans = plans.flatMap(nodesOf).filter(node => node['Node Type'] === 'Seq Scan');
  const big = new Set(['entities', 'claims', 'leads', 'identifiers', 'observation_log']);
  return {
    tables: scans.flatMap(node => node['Relation Name'] ?? []).filter(table => big.has(table)),
    blocks: plans.reduce((sum, plan) => sum + (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0), 0),
  };
}

it.each([
  'people',
  'people?sort=name',
  'people?sort=-name',
  'people?sort=last_activity_asc',
  'people?sort=recently_added',
  'people?sort=icp_score',
  'people?sort=title',
  'people?sort=-title,name',
  'people?sort=-title.confidence,name',
  'people?sort=title.freshness',
  'people?title=title%207',
  'people?email=p1@acme.com',
  'people?account=acme.com',
  'people?search=p%207',
  `people?filter=${encodeURIComponent('{"title":{"$contains":"tle 49"}}')}`,
  `leads?filter=${encodeURIComponent('{"title":{"$contains":"tle 49"}}')}`,
  'people?last_activity_after=2h',
  `people?filter=${encodeURIComponent('{"title":{"$starts_with":"title 49","freshness":"fresh","confidence":{"$gte":0.7}}}')}`,
  'leads',
  'leads?sort=score_desc',
  'leads?sort=-sent_at',
  'leads?status=sent',
  'leads?title=title%207',
  'leads?email=p1@acme.com',
  'companies',
  'companies?sort=name',
  'companies?sort=-industry',
  'companies?industry=industry%207',
  'companies?domain=c7.com',
  'companies?search=c%207',
  `companies?filter=${encodeURIComponent('{"people_count":{"$gte":1}}')}`,
])('GET /v2/%s scans no table', async path => {
  const [name, query = ''] = path.split('?');
  const { tables } = await plansOf(`/v2/${name}?limit=50${query && `&${query}`}`);
  expect({ path, tables }).toEqual({ path, tables: [] });
});

it.each(['people', 'leads'])(
  'GET /v2/%s costs a page, not the workspace, where everybody passes the filter',
  async list => {
    const plain = await plansOf(`/v2/${list}?limit=50`);
    for (const test of ['{"$starts_with":"title"}', '{"$contains":"title"}', '{"confidence":{"$gte":0.5}}']) {
      const passed = await plansOf(`/v2/${list}?limit=50&filter=${encodeURIComponent(`{"title":${test}}`)}`);
      expect({ test, tables: passed.tables }).toEqual({ test, tables: [] });
      expect(passed.blocks).toBeLessThan(plain.blocks + 51 * 20);
    }
  },
);

it.each([
  'people?sort=-last_activity_at',
  'people?sort=name',
  'people?sort=icp_score',
  'people?sort=title',
  'leads?sort=-created_at',
  'leads?sort=score_desc',
  'companies?sort=recently_added',
  'companies?sort=name',
  'companies?sort=industry',
])('GET /v2/%s touches as much deep down as on its first page', async path => {
  const list = path.split('?')[0]!;
  const first = await plansOf(`/v2/${path}&limit=50`);
  let cursor = '';
  for (let page = 0; page < DEEP; page++) {
    const { body } = await client.get<Record<string, unknown>>(
      `/v2/${path}&limit=1000${cursor && `&cursor=${cursor}`}`,
    );
    expect(body[list]).toHaveLength(1000);
    cursor = String(body['next_cursor']);
  }
  const deep = await plansOf(`/v2/${path}&limit=50&cursor=${cursor}`);
  expect(deep.tables).toEqual([]);
  expect(deep.blocks).toBeLessThan(first.blocks * 1.5 + 100);
});

it('attaching keeps its plans: one made for a workspace that seems empty would read all leads for each of them', async () => {
  const young = await hub.workspace();
  log.clear();
  const rows = [{ email: 'ada@young.com', title: 'CTO' }, { email: 'bo@young.com' }];
  expect((await young.post('/v2/lead-lists/attach', { name: 'Young', rows })).status).toBe(201);
  const writes = log.of('rapport_app').filter(sent => sent.some(({ sql }) => /(INSERT INTO|UPDATE) leads/.test(sql)));
  expect(writes).toHaveLength(1);
  for (const sent of writes)
    expect(sent.filter(({ sql }) => sql.includes(`'plan_cache_mode', 'force_generic_plan'`))).toHaveLength(1);
});

it('telling rows apart keeps its plans too: leads are read by the index that one made without any would scorn', async () => {
  const young = await hub.workspace();
  await young.post('/v2/lead-lists/attach', { name: 'Young', rows: [{ email: 'ada@young.com' }] });
  log.clear();
  expect((await young.post('/v2/dedup', { rows: [{ email: 'ada@young.com' }] })).status).toBe(200);
  const sent = log.of('rapport_app').find(all => all.some(({ sql }) => sql.includes('FROM leads')));
  expect(sent!.filter(({ sql }) => sql.includes(`'plan_cache_mode', 'force_generic_plan'`))).toHaveLength(1);
});

describe.each([
  ['people', peopleSource, peopleListFields],
  ['leads', leadsSource, leadListFields],
] as const)('a text within those of %s', (_, source, dialect) => {
  const placesOf = (query: Record<string, string>, timeoutMs: number) =>
    hub.database.work.run(client.workspaceId, async tx => {
      const { filter, sort } = readListRequest(dialect, query, await tx.now());
      const [first] = await readPageKeys(tx, source, { filter: MATCH_ALL, sort, now: await tx.now() }, start(1));
      const selection = { filter, sort, now: await tx.now() };
      const top = await readPageKeys(tx, source, selection, { ...start(40), timeoutMs });
      return [top, await readPageKeys(tx, source, selection, { ...start(40), after: top[20] ?? first!, timeoutMs })];
    });
  const start = (limit: number) => ({ offset: 0, limit });
  const matches = () =>
    log
      .of('rapport_app')
      .flat()
      .filter(({ sql }) => sql.startsWith('SELECT DISTINCT id FROM (SELECT id FROM'));

  it.each<Record<string, string>>([
    { search: 'p 1999' },
    { search: 'p19998@' },
    { search: 'nobody at all' },
    { filter: '{"title":{"$contains":"le 499"}}', sort: 'name' },
    { filter: '{"about":{"$contains":"at the very end"}}' },
    { filter: '{"title":{"$contains":"le 499"},"name":{"$starts_with":"p 1"}}', sort: '-title' },
    { filter: '{"$or":[{"title":{"$contains":"le 499"}},{"name":{"$contains":"7777"}}]}' },
  ])('gives the same page for %j, whether the list is walked through or the texts are read first', async query => {
    const walked = await placesOf(query, 60_000);
    log.clear();
    expect(await placesOf(query, 1)).toEqual(walked);
    expect(matches().length).toBeGreaterThan(0);
  });

  it('walks on where many have it', async () => {
    const walked = await placesOf({ filter: '{"title":{"$contains":"title"},"name":{"$contains":"9999"}}' }, 60_000);
    expect(await placesOf({ filter: '{"title":{"$contains":"title"},"name":{"$contains":"9999"}}' }, 1)).toEqual(
      walked,
    );
    expect(walked[0]!.length).toBeGreaterThan(0);
  });
});
