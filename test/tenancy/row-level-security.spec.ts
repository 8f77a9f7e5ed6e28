import pg from 'pg';
import type { Tx } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { account, event, record, state, tryRecord } from '../support/graph/graph-calls.js';
import { retractSource } from '../support/graph/retraction-calls.js';
import { type Client, startTestHub, type TestHub } from '../support/hub.js';
import { everythingOf, MARK, markedTenant } from '../support/graph/two-tenants.js';

let hub: TestHub;
let work: UnitOfWork;
let victim: Client;
let outsider: Client;
let session: pg.Client;

beforeAll(async () => {
  hub = await startTestHub();
  work = hub.database.work;
  ({ victim } = await markedTenant(hub));
  outsider = await hub.workspace();
  await record(outsider, 'own@acme.com', [state('title', 'Own'), event('call_held')]);
  for (const client of [victim, outsider]) {
    await record(client, 'wrong@gmail.com', [state('title', 'Wrong', { source: 'csv:wrong' })]);
    await retractSource(client, 'csv:wrong');
  }
  session = new pg.Client(hub.database.url);
  await session.connect();
});
afterAll(async () => {
  await session?.end();
  await hub?.end();
});

const readable = [
  'api_keys',
  'audit_events',
  'claims',
  'entities',
  'idempotency_keys',
  'identifiers',
  'name_words',
  'note_chunks',
  'note_numbers',
  'note_statistics',
  'note_terms',
  'note_trigrams',
  'note_words',
  'note_log',
  'notes',
  'observation_log',
  'observations',
  'retracted_identifiers',
  'retractions',
  'workspace_facts',
];
const entity = '01941f5e-7e2b-7c3a-9d54-0f2f6c1a8b17';

/** One row for each tenant table, of the workspace in `$1`, about the entity in `$2`. */
const inserts: Record<string, string> = {
  entities: "INSERT INTO entities (workspace_id, id, type) VALUES ($1, $2, 'person')",
  identifiers: "INSERT INTO identifiers (workspace_id, kind, key, value, entity_id) VALUES ($1, 'email', 'x', 'x', $2)",
  name_words: "INSERT INTO name_words (workspace_id, word, entity_id) VALUES ($1, 'x', $2)",
  observation_log: `INSERT INTO observation_log (workspace_id, id, entity_id, kind, property, source, method, observed_at, recorded_at, digest)
    VALUES ($1, gen_random_uuid(), $2, 'state', 'title', 'x', 'x', now(), now(), '')`,
  claims: "INSERT INTO claims (workspace_id, entity_id, property, state) VALUES ($1, $2, 'x', '{}')",
  attention_marks: `INSERT INTO attention_marks (workspace_id, item_id, entity_id, state, actor_kind, actor_id, marked_at)
    VALUES ($1, 'x', $2, 'done', 'key', 'x', now())`,
  saved_views: `INSERT INTO saved_views (workspace_id, id, resource, name, query, is_shared, owner_kind, owner_id)
    VALUES ($1, $2, 'people', 'x', '{}', true, 'key', 'x')`,
  lead_lists: "INSERT INTO lead_lists (workspace_id, id, name, source) VALUES ($1, $2, 'x', 'x')",
  leads: 'INSERT INTO leads (workspace_id, id, list_id, entity_id) VALUES ($1, $2, $2, $2)',
  entity_links: `INSERT INTO entity_links (workspace_id, id, a, b, kind, source, created_at)
    VALUES ($1, gen_random_uuid(), $2, $2, 'same_as', 'x', now())`,
  merge_proposals: `INSERT INTO merge_proposals (workspace_id, entity_id, kind, key, value, other_entity_id, guards)
    VALUES ($1, $2, 'email', 'x', 'x', $2, '{}')`,
  retractions: `INSERT INTO retractions (workspace_id, id, source, actor_kind, actor_id, retracted_at, observations, notes)
    VALUES ($1, $2, 'x', 'key', 'x', now(), 0, 0)`,
  retracted_identifiers: `INSERT INTO retracted_identifiers (workspace_id, kind, key, value, entity_id)
    VALUES ($1, 'email', 'x', 'x', $2)`,
  likeness_scans: 'INSERT INTO likeness_scans (workspace_id, after_id, started_at) VALUES ($1, $2, now())',
  note_log: `INSERT INTO note_log (workspace_id, id, entity_id, type, title, date, content, source, participants, passages)
    VALUES ($1, gen_random_uuid(), $2, 'note', 'x', '2026-11-20', 'x', 'x', '[]', 1)`,
  note_chunks: 'INSERT INTO note_chunks (workspace_id, note_id, position, start, length) VALUES ($1, $2, 0, 0, 1)',
  note_terms:
    "INSERT INTO note_terms (workspace_id, term, block, postings) SELECT $1, 'x', 0, '{1}' WHERE $2::text IS NOT NULL",
  note_numbers: 'INSERT INTO note_numbers (workspace_id, number, note_id) VALUES ($1, 1, $2)',
  note_words: 'INSERT INTO note_words (workspace_id, word) VALUES ($1, $2::text)',
  note_trigrams: "INSERT INTO note_trigrams (workspace_id, trigram, block, words) VALUES ($1, 'x', 0, ARRAY[$2::text])",
  note_statistics:
    'INSERT INTO note_statistics (workspace_id, passages, tokens) SELECT $1, 0, 0 WHERE $2::text IS NOT NULL',
  usage_counters:
    "INSERT INTO usage_counters (workspace_id, name, period, amount, expires_at) SELECT $1, 'x', 1, 1, now() WHERE $2::text <> ''",
  workspace_facts: `INSERT INTO workspace_facts (workspace_id, section, version, id, content, source, confidence)
    VALUES ($1, 'x', 1, $2, '1', 'x', 1)`,
  source_trust_versions:
    "INSERT INTO source_trust_versions (workspace_id, version, content) SELECT $1, 1, '{}' WHERE $2::text <> ''",
  claim_rebuilds: 'INSERT INTO claim_rebuilds (workspace_id, version, cursor, due_at) VALUES ($1, 1, $2, now())',
  claim_audits: "INSERT INTO claim_audits (workspace_id, day) SELECT $1, '2026-11-20' WHERE $2::text <> ''",
  outbox: "INSERT INTO outbox (workspace_id, id, events, event_count) VALUES ($1, $2, '[]', 0)",
  connections: `INSERT INTO connections (workspace_id, id, plugin, name, settings, credentials, webhook_secrets, webhook_token_hash, state, due_at)
    VALUES ($1, $2, 'x', 'x', '{}', '{}', '{}', '', 'connected', now())`,
  provider_authorizations: `INSERT INTO provider_authorizations (workspace_id, id, link_hash, plugin, settings, requested_by, expires_at)
    VALUES ($1, $2, '', 'x', '{}', '{}', now())`,
  plugin_runs: "INSERT INTO plugin_runs (workspace_id, id, plugin, name, input) VALUES ($1, $2, 'x', 'x', '1')",
  plugin_run_reports:
    "INSERT INTO plugin_run_reports (workspace_id, run_id, step, position, at, error) VALUES ($1, $2, 1, 0, '1', 'x')",
  plugin_store:
    "INSERT INTO plugin_store (workspace_id, plugin, connection_id, key, value) VALUES ($1, 'x', $2, 'x', '1')",
  files: `INSERT INTO files (workspace_id, id, plugin, name, media_type, storage, sealed_key, expires_at)
    VALUES ($1, $2, 'x', 'x', 'text/csv', 'disk', '', now())`,
  file_chunks: "INSERT INTO file_chunks (workspace_id, file_id, position, content) VALUES ($1, $2, 0, '')",
  inbound_events: `INSERT INTO inbound_events (workspace_id, id, connection_id, plugin, name, event_id, headers, body)
    VALUES ($1, $2, $2, 'x', 'x', 'x', '{}', '')`,
  inbound_event_ids: `INSERT INTO inbound_event_ids (workspace_id, connection_id, name, event_hash)
    VALUES ($1, $2, 'x', '')`,
  memberships: "INSERT INTO memberships (workspace_id, user_id, role) VALUES ($1, $2, 'owner')",
  invitations: `INSERT INTO invitations (workspace_id, id, email, role, token_hash, invited_by, expires_at)
    VALUES ($1, $2, 'x', 'owner', '', '{}', now())`,
  oauth_grants: `INSERT INTO oauth_grants (workspace_id, id, secret_hash, client_id, name, origin, scopes, approved_by, expires_at)
    VALUES ($1, $2, '', 'x', 'x', 'oauth', '{read}', '{}', now())`,
  oauth_refresh_tokens: `INSERT INTO oauth_refresh_tokens (workspace_id, id, secret_hash, client_id, name, scopes, approved_by,
      key_id, expires_at)
    VALUES ($1, $2, '', 'x', 'x', '{read}', '{}', $2, now())`,
  plugin_jobs:
    "INSERT INTO plugin_jobs (workspace_id, id, plugin, kind, name, payload) VALUES ($1, $2, 'x', 'job', 'x', '{}')",
  audit_events: `INSERT INTO audit_events (workspace_id, id, actor_kind, actor_id, action, object_type)
    VALUES ($1, $2, 'key', 'x', 'api_key.create', 'api_key')`,
  retention_settings: "INSERT INTO retention_settings (workspace_id, days) SELECT $1, '{}' WHERE $2::text <> ''",
  retention_runs: "INSERT INTO retention_runs (workspace_id, day) SELECT $1, '2026-11-20' WHERE $2::text <> ''",
  idempotency_keys:
    "INSERT INTO idempotency_keys (workspace_id, key, request_hash, status, body) VALUES ($1, $2::text, '', 200, '{}')",
  erasures: `INSERT INTO erasures (workspace_id, id, entity_id, entity_ids, actor_kind, actor_id)
    VALUES ($1, $2::uuid, $2::uuid, ARRAY[$2::uuid], 'key', 'x')`,
  erased_identifiers: "INSERT INTO erased_identifiers (workspace_id, hash, erasure_id) VALUES ($1, '', $2)",
  erasure_keys: "INSERT INTO erasure_keys (workspace_id, sealed) SELECT $1, 'x' WHERE $2::text <> ''",
  api_keys: `INSERT INTO api_keys (workspace_id, id, name, hash, prefix, last_four, scopes, origin, created_by_kind, created_by_id)
    VALUES ($1, $2, 'x', 'x', 'x', 'x', '{admin}', 'api', 'operator', 'admin')`,
};

/** Tables that only `rapport_eraser` may write. */
const OF_THE_ERASER = new Set([
  'erasures',
  'erased_identifiers',
  'erasure_keys',
  'retractions',
  'retracted_identifiers',
]);

/** Tables that only `rapport_auth` may write. */
const OF_THE_SIGN_IN = new Set(['memberships', 'invitations']);

/** Returns the role that may write a table. */
function writerOf(table: string): string {
  if (OF_THE_ERASER.has(table)) return 'rapport_eraser';
  return OF_THE_SIGN_IN.has(table) ? 'rapport_auth' : 'rapport_app';
}

/** Runs SQL as the app, or as another role, in the tenant context of a workspace, or in none, and takes it back. */
async function asApp(
  workspace: string | undefined,
  sql: string,
  values: unknown[] = [],
  role = 'rapport_app',
): Promise<pg.QueryResult> {
  await session.query(`BEGIN; SET LOCAL ROLE ${role}`);
  if (workspace) await session.query("SELECT set_config('app.workspace_id', $1, true)", [workspace]);
  return session.query(sql, values).finally(() => session.query('ROLLBACK'));
}

describe('as the app', () => {
  it.each(Object.keys(inserts))('INSERT into %s is refused for another workspace and for none', async table => {
    const values = [victim.workspaceId, entity].slice(0, inserts[table]!.includes('$2') ? 2 : 1);
    for (const context of [outsider.workspaceId, undefined]) {
      const denied = asApp(context, inserts[table]!, values, writerOf(table));
      await expect(denied).rejects.toMatchObject({
        code: '42501',
        message: expect.stringContaining('row-level security'),
      });
    }
  });

  it('has a row to try for every table of a tenant', async () => {
    const { rows } = await session.query(
      `SELECT table_name AS name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name)
       WHERE column_name = 'workspace_id' AND table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    expect(rows.map(({ name }) => name as string).toSorted()).toEqual(Object.keys(inserts).toSorted());
  });

  it.each(readable)('SELECT from %s sees rows of the own workspace only, and none without a context', async table => {
    const count = async (workspace?: string) =>
      (await asApp(workspace, `SELECT workspace_id AS id FROM ${table}`)).rows;
    expect(await count()).toEqual([]);
    for (const each of [victim, outsider]) {
      expect(new Set((await count(each.workspaceId)).map(({ id }) => id as string)).size).toBeLessThanOrEqual(1);
      expect((await count(each.workspaceId)).every(({ id }) => id === each.workspaceId)).toBe(true);
    }
    expect((await count(victim.workspaceId)).length).toBeGreaterThan(0);
  });

  it('sees of the workspaces its own', async () => {
    expect((await asApp(outsider.workspaceId, 'SELECT id FROM workspaces')).rows).toEqual([
      { id: outsider.workspaceId },
    ]);
    expect((await asApp(undefined, 'SELECT id FROM workspaces')).rows).toEqual([]);
  });

  it.each([
    "UPDATE observation_log SET value = '1'",
    'DELETE FROM observation_log',
    'DELETE FROM observations',
    'UPDATE observation_log SET retracted_at = NULL',
    'TRUNCATE observation_log CASCADE',
    'DELETE FROM entities',
    'DELETE FROM entity_links',
    'UPDATE entity_links SET kind = kind',
    'DELETE FROM merge_proposals',
    'DELETE FROM identifiers',
    "UPDATE identifiers SET value = 'x'",
    "UPDATE workspace_facts SET content = '1'",
    'DELETE FROM workspace_facts',
    "UPDATE source_trust_versions SET content = '1'",
    'DELETE FROM source_trust_versions',
    'DELETE FROM claim_rebuilds',
    "UPDATE note_log SET content = 'x'",
    'DELETE FROM note_log',
    'DELETE FROM note_chunks',
    'UPDATE note_numbers SET number = number + 1',
    'TRUNCATE note_terms',
    'DELETE FROM note_statistics',
    'SELECT * FROM outbox',
    'DELETE FROM outbox',
    "UPDATE idempotency_keys SET request_hash = ''",
    "UPDATE workspaces SET plan = 'scale'",
    'DELETE FROM api_keys',
    "UPDATE audit_events SET actor_id = 'x'",
    'DELETE FROM audit_events',
    'TRUNCATE audit_events',
    'SELECT * FROM schema_migrations',
    'ALTER TABLE observation_log DISABLE ROW LEVEL SECURITY',
    'DROP POLICY tenant ON observation_log',
    'CREATE TABLE mine (x int)',
    "COPY observations TO PROGRAM 'cat'",
  ])('may not %s, not even of the own workspace', async sql => {
    await expect(asApp(outsider.workspaceId, sql)).rejects.toMatchObject({ code: '42501' });
  });

  it('cannot move a row to another workspace, nor change one there', async () => {
    const move = "UPDATE entities SET workspace_id = $1 WHERE type = 'person'";
    await expect(asApp(outsider.workspaceId, move, [victim.workspaceId])).rejects.toMatchObject({
      code: expect.stringMatching(/42501|23503/),
    });
    const change = await asApp(outsider.workspaceId, "UPDATE entities SET name = 'x' WHERE workspace_id = $1", [
      victim.workspaceId,
    ]);
    expect(change.rowCount).toBe(0);
  });

  it('cannot tie an entity of another workspace to a row of its own', async () => {
    const { entity_id: foreign } = await account(victim, `${MARK}corp.com`);
    const named = asApp(outsider.workspaceId, inserts['identifiers']!, [outsider.workspaceId, foreign]);
    await expect(named).rejects.toMatchObject({ code: '23503' });
    const linked = asApp(outsider.workspaceId, 'UPDATE entities SET company_id = $1', [foreign]);
    await expect(linked).rejects.toMatchObject({ code: '23503' });
  });
});

describe('the unit of work', () => {
  const whoAmI = "SELECT current_user AS role, current_setting('app.workspace_id', true) AS workspace";

  it('works as a plain role in one workspace, and the connection carries nothing of it over', async () => {
    const seen = await Promise.all(
      Array.from({ length: 40 }, (_, i) => work.run([victim, outsider][i % 2]!.workspaceId, tx => tx.query(whoAmI))),
    );
    seen.forEach(([context], i) =>
      expect(context).toEqual({ role: 'rapport_app', workspace: [victim, outsider][i % 2]!.workspaceId }),
    );
    await expect(work.run(victim.workspaceId, tx => tx.query('SELECT 1/0'))).rejects.toThrow('division');
    const after = await Promise.all(
      Array.from({ length: 20 }, () => hub.database.pool.query<{ workspace: string }>(whoAmI)),
    );
    expect(new Set(after.map(({ rows }) => rows[0]!.workspace || null))).toEqual(new Set([null]));
  });

  it('takes no workspace that is not a plain id', async () => {
    for (const id of ['', "x'; RESET ROLE; --", `${victim.workspaceId}'`, victim.workspaceId.toUpperCase()]) {
      await expect(work.run(id, tx => tx.query('SELECT 1'))).rejects.toThrow('the id of a workspace');
    }
  });

  it('as the system sees keys and events of all, and nothing of the graph', async () => {
    for (const table of ['entities', 'identifiers', 'observations', 'claims']) {
      await expect(work.system(tx => tx.query(`SELECT 1 FROM ${table}`))).rejects.toMatchObject({ code: '42501' });
    }
  });

  it('lets nothing reach the connection once the transaction has ended', async () => {
    let held: Tx | undefined;
    const failing = work.run(victim.workspaceId, async tx => {
      held = tx;
      await tx.query('SELECT 1/0');
    });
    await expect(failing).rejects.toThrow('division');
    await expect(held!.query(whoAmI)).rejects.toThrow('the transaction has ended');
  });
});

it('text that looks like SQL is text: nothing of it is carried out, whatever field it comes in', async () => {
  const before = await everythingOf(hub, victim.workspaceId);
  const sql = [
    "'; RESET ROLE; DELETE FROM observations; --",
    "'); SET ROLE postgres; UPDATE workspaces SET plan = 'starter'; --",
    `' OR workspace_id = '${victim.workspaceId}`,
    "\\'; SELECT set_config('app.workspace_id', '" + victim.workspaceId + "', false); --",
    '${1} $1 %s ?; COMMIT; DROP TABLE claims',
    '{"a":1}, NULL)',
  ];
  for (const text of sql) {
    const rows = [
      state('title', text, {
        source: text.slice(0, 100),
        method: text.slice(0, 100),
        external_id: text,
        raw: { [text]: text },
      }),
    ];
    expect(
      (await tryRecord(outsider, 'sql@acme.com', rows, { 'idempotency-key': text.replaceAll(' ', '_') })).status,
    ).toBe(200);
    const { recent_observations } = await account(outsider, 'sql@acme.com');
    expect(recent_observations.find(o => o.external_id === text)).toMatchObject({
      value: text,
      source: text.slice(0, 100),
    });
    for (const where of ['focus', 'id', 'company', 'cursor', 'as_of']) {
      const path = where === 'id' ? encodeURIComponent(text) : `Own%20Name?${where}=${encodeURIComponent(text)}`;
      const { status } =
        where === 'focus'
          ? await tryRecord(outsider, text, [event('call_held')])
          : await outsider.get(`/v2/accounts/${path}`);
      expect([400, 404]).toContain(status);
    }
  }
  expect(await everythingOf(hub, victim.workspaceId)).toBe(before);
});
