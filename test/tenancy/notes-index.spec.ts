import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { saveNote, searchNotes } from '../support/graph/notes.js';
import { explainPlan, type PlanNode } from '../support/database/query-plan.js';
import { listenTo, type StatementLog } from '../support/database/statements.js';

let hub: TestHub;
let log: StatementLog;
let small: Client;
let big: Client;

/** Two thousand words of which each is rare. */
const words = (seed: number) => Array.from({ length: 2000 }, (_, i) => `w${(seed * 2000 + i).toString(36)}`).join(' ');

/** One workspace with a few notes beside one with two hundred times as many. */
beforeAll(async () => {
  hub = await startTestHub();
  log = listenTo(hub.database.pool);
  big = await hub.workspace();
  small = await hub.workspace();
  for (let n = 0; n < 5; n++) await saveNote(big, 'ada@acme.com', `kubernetes renewal cancel. ${words(n)}`);
  await saveNote(small, 'ada@acme.com', 'kubernetes renewal cancel number');
  await multiplyTerms(40);
  await hub.database.pool.query('ANALYZE');
});
afterAll(() => hub.end());

/** Copies what the terms of notes point to, under other ids, so that there is something to be read by mistake. */
async function multiplyTerms(times: number): Promise<void> {
  await hub.database.pool.query(
    `INSERT INTO note_terms (workspace_id, term, block, postings)
     SELECT workspace_id, term, block + copy * 1000, postings FROM note_terms, generate_series(1, ${times}) AS copy
     WHERE workspace_id <> '${small.workspaceId}'`,
  );
}

const TABLES = /^(?:note_\w+|entities)$/;

/** The reads of the graph that a search makes, statement by statement. */
async function readsOf(client: Client): Promise<PlanNode[]> {
  log.clear();
  expect((await searchNotes(client, 'who cancels kubernates', { focus: 'ada@acme.com' })).count).toBeGreaterThan(0);
  const statements = log
    .of('rapport_app')
    .flat()
    .filter(({ sql }) => sql.includes('FROM note_'));
  expect(statements.length).toBeGreaterThanOrEqual(3);
  const plans: PlanNode[] = [];
  for (const statement of statements) plans.push(...(await explainPlan(hub.database, statement, client.workspaceId)));
  return plans.filter(node => TABLES.test(node['Relation Name'] ?? '') || node['Index Name'] !== undefined);
}

it('a search in a small workspace reads nothing of the large one beside it', async () => {
  for (const node of await readsOf(small)) {
    const rows = (node['Actual Rows'] ?? 0) * (node['Actual Loops'] ?? 1);
    expect(rows + (node['Rows Removed by Filter'] ?? 0)).toBeLessThan(100);
  }
});

it('a search in a large workspace looks its terms up by index', async () => {
  const reads = await readsOf(big);
  const lookups = reads.filter(node => node['Index Name'] === 'note_terms_pkey');
  expect(lookups.length).toBeGreaterThan(0);
  for (const node of lookups) expect(node['Index Cond']).toMatch(/workspace_id.*term/s);
  expect(reads.filter(node => node['Node Type'] === 'Seq Scan' && node['Relation Name'] === 'note_terms')).toEqual([]);
});

it('the app may only add to notes and passages; it may rebuild the index of their terms', async () => {
  const { rows } = await hub.database.pool.query<{ table: string; may: string }>(
    `SELECT table_name AS table, string_agg(privilege_type, ' ' ORDER BY privilege_type) AS may
     FROM information_schema.role_table_grants WHERE grantee = 'rapport_app' AND table_name ~ '^note' GROUP BY 1 ORDER BY 1`,
  );
  const added = 'INSERT SELECT';
  expect(rows).toEqual([
    { table: 'note_chunks', may: added },
    { table: 'note_log', may: added },
    { table: 'note_numbers', may: 'DELETE INSERT SELECT' },
    { table: 'note_statistics', may: 'INSERT SELECT UPDATE' },
    { table: 'note_terms', may: 'DELETE INSERT SELECT UPDATE' },
    { table: 'note_trigrams', may: 'INSERT SELECT UPDATE' },
    { table: 'note_words', may: added },
    { table: 'notes', may: 'SELECT' },
  ]);
});
