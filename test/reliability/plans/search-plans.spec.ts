import { type Client, startTestHub, type TestHub } from '../../support/hub.js';
import { listenTo, type StatementLog } from '../../support/database/statements.js';

interface Plan {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly Plans?: Plan[];
}

const PEOPLE = 30_000;
/** Index entries and rows that one search may read, whatever the size of the workspace. */
const MAX_ROWS_READ = 60_000;

let hub: TestHub;
let client: Client;
let log: StatementLog;

const idOf = (sql: string) => `overlay(overlay(md5($1 || ${sql}) placing '7' from 13) placing '8' from 17)::uuid`;

/** Two workspaces in which half of the people have one given name, and a fifth one surname. */
beforeAll(async () => {
  hub = await startTestHub({ PLUGINS_DIR: 'test/plugins/none' });
  client = await hub.workspace();
  for (const { workspaceId } of [client, await hub.workspace()]) {
    const params = [workspaceId, PEOPLE];
    const first = `CASE WHEN i % 2 = 0 THEN 'maria' ELSE 'f' || i % 900 END`;
    const last = `CASE WHEN i % 5 = 0 THEN 'schmidt' ELSE 'l' || i END`;
    await hub.database.pool.query(
      `INSERT INTO entities (workspace_id, id, type, name, name_key)
       SELECT $1::uuid, ${idOf("'p' || i")}, 'person', ${first} || ' ' || ${last}, ${first} || ' ' || ${last}
       FROM generate_series(1, $2::int) AS i`,
      params,
    );
    for (const word of [first, last])
      await hub.database.pool.query(
        `INSERT INTO name_words (workspace_id, word, entity_id)
         SELECT $1::uuid, ${word}, ${idOf("'p' || i")} FROM generate_series(1, $2::int) AS i`,
        params,
      );
  }
  await hub.database.pool.query('ANALYZE entities, name_words');
  log = listenTo(hub.database.pool);
});
afterAll(() => hub?.end());

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** The tables that a search scans, and the rows and index entries that it reads. */
async function costOf(q: string): Promise<{ scanned: string[]; rows: number; statements: number }> {
  log.clear();
  expect((await client.get(`/v2/search?q=${encodeURIComponent(q)}`)).status).toBe(200);
  const all = log.of('rapport_app').flat();
  const sent = all.filter(({ sql }) => /^\s*(?:SELECT (?!set_config)|WITH)/.test(sql));
  const nodes = await hub.database.work.run(client.workspaceId, async tx => {
    const found: Plan[] = [];
    await tx.query("SELECT set_config('enable_seqscan', 'off', true)");
    for (const { sql, values } of sent) {
      const [row] = await tx.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
      found.push(...nodesOf(row!['QUERY PLAN'][0]!.Plan));
    }
    return found;
  });
  const reads = nodes.filter(node => /Index (?:Only )?Scan|Seq Scan/.test(node['Node Type']));
  return {
    scanned: reads.flatMap(node => (node['Node Type'] === 'Seq Scan' ? (node['Relation Name'] ?? []) : [])),
    rows: reads.reduce((sum, node) => sum + (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 0), 0),
    statements: sent.length,
  };
}

describe('GET /v2/search in a workspace where names are frequent', () => {
  it.each(['m', 'maria', 'maria schmidt', 'schmidt maria l1', 'marai schmitd', 'l29', 'zzyzx qwpgh', 'maria@'])(
    'scans no table and reads a bounded number of rows for "%s"',
    async q => {
      const { scanned, rows, statements } = await costOf(q);
      expect({ q, scanned }).toEqual({ q, scanned: [] });
      expect(rows).toBeLessThan(MAX_ROWS_READ);
      expect(statements).toBeLessThan(20);
    },
  );
});
