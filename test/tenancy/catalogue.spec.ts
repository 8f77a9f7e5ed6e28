import { startTestHub, type TestHub } from '../support/hub.js';

let hub: TestHub;

beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.end());

const ask = async <Row>(sql: string): Promise<Row[]> => (await hub.database.pool.query(sql)).rows as Row[];

/** Tables of a workspace, by the column that says so. */
const TENANT = `
  SELECT c.oid, c.relname AS name FROM pg_class c
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`;

it('every table belongs to a workspace, or is one of those that cannot', async () => {
  const sql = `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
    AND oid NOT IN (SELECT oid FROM (${TENANT}) AS tenant) ORDER BY 1`;
  const ofTheHub = [
    'deferred_migrations',
    'oauth_clients',
    'oauth_device_requests',
    'plugin_desired_states',
    'plugin_schedules',
    'plugin_statuses',
    'processes',
    'provider_limits',
    'schema_migrations',
    'workspaces',
  ];
  expect((await ask<{ name: string }>(sql)).map(({ name }) => name)).toEqual(ofTheHub);
  expect((await ask<{ name: string }>(TENANT)).map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'api_keys',
      'claims',
      'entities',
      'entity_links',
      'idempotency_keys',
      'identifiers',
      'merge_proposals',
      'lead_lists',
      'leads',
      'observation_log',
      'outbox',
      'plugin_jobs',
    ]),
  );
});

it('row-level security is on and forced for all of them, with a policy for the app on the own workspace', async () => {
  const open = await ask(`
    SELECT c.relname FROM pg_class c JOIN (${TENANT}) AS tenant USING (oid)
    WHERE NOT (c.relrowsecurity AND c.relforcerowsecurity)`);
  expect(open).toEqual([]);
  const policies = await ask<{ table: string; qual: string; check: string | null; cmd: string }>(`
    SELECT tablename AS table, qual, with_check AS check, cmd FROM pg_policies
    WHERE schemaname = 'public' AND 'rapport_app' = ANY (roles) AND tablename <> 'workspaces'`);
  const tenants = await ask<{ name: string }>(TENANT);
  expect(policies.map(({ table }) => table).toSorted()).toEqual(tenants.map(({ name }) => name).toSorted());
  for (const policy of policies) {
    expect(policy).toMatchObject({ qual: '(workspace_id = current_workspace())', check: null, cmd: 'ALL' });
  }
  const directory = await ask<{ table: string }>(`
    SELECT tablename AS table FROM pg_policies WHERE schemaname = 'public' AND 'rapport_system' = ANY (roles) ORDER BY 1`);
  expect(directory.map(({ table }) => table)).toEqual([
    'api_keys',
    'audit_events',
    'claim_audits',
    'claim_rebuilds',
    'connections',
    'erasure_keys',
    'erasures',
    'files',
    'idempotency_keys',
    'inbound_events',
    'oauth_grants',
    'oauth_refresh_tokens',
    'outbox',
    'plugin_jobs',
    'plugin_run_reports',
    'plugin_runs',
    'plugin_store',
    'provider_authorizations',
    'source_trust_versions',
    'usage_counters',
    'workspace_facts',
    'workspaces',
  ]);
});

it('workspace_id leads every primary key, unique index and foreign key', async () => {
  const indexes = await ask(`
    SELECT i.indexrelid::regclass::text AS index FROM pg_index i JOIN (${TENANT}) AS tenant ON tenant.oid = i.indrelid
    JOIN pg_attribute first ON first.attrelid = i.indrelid AND first.attnum = i.indkey[0]
    WHERE (i.indisunique OR i.indisprimary) AND first.attname <> 'workspace_id'`);
  // Both are found by a secret, before a workspace is known.
  expect(indexes).toEqual([{ index: 'api_keys_hash' }, { index: 'invitations_token_hash_key' }]);
  const keyless = await ask(`
    SELECT tenant.name FROM (${TENANT}) AS tenant
    WHERE NOT EXISTS (SELECT 1 FROM pg_index i WHERE i.indrelid = tenant.oid AND i.indisprimary)`);
  expect(keyless).toEqual([]);
  const foreignKeys = await ask(`
    SELECT k.conname FROM pg_constraint k JOIN (${TENANT}) AS tenant ON tenant.oid = k.conrelid
    JOIN pg_attribute first ON first.attrelid = k.conrelid AND first.attnum = k.conkey[1]
    WHERE k.contype = 'f' AND first.attname <> 'workspace_id'`);
  expect(foreignKeys).toEqual([]);
});

it('workspace_id leads every index that a tenant’s read could use', async () => {
  const others = await ask<{ index: string }>(`
    SELECT i.indexrelid::regclass::text AS index FROM pg_index i JOIN (${TENANT}) AS tenant ON tenant.oid = i.indrelid
    JOIN pg_attribute first ON first.attrelid = i.indrelid AND first.attnum = i.indkey[0]
    WHERE first.attname <> 'workspace_id' ORDER BY 1`);
  const ofTheHouse = [
    'api_keys_hash',
    'connections_due',
    'erasures_due',
    'files_expiry',
    'idempotency_keys_age',
    'inbound_events_age',
    'invitations_token_hash_key',
    'memberships_user',
    'oauth_grants_age',
    'oauth_refresh_tokens_age',
    'outbox_failed',
    'outbox_unconfirmed',
    'outbox_unpublished',
    'plugin_jobs_dead',
    'plugin_jobs_held',
    'plugin_jobs_queued',
    'plugin_jobs_unfinished',
    'plugin_jobs_waiting',
    'plugin_runs_age',
    'plugin_store_expired',
    'provider_authorizations_age',
    'usage_counters_age',
  ];
  expect(others.map(({ index }) => index)).toEqual(ofTheHouse);
});

it('the roles are plain, own nothing and reach only what they need', async () => {
  const roles = await ask(`
    SELECT rolname, rolsuper, rolbypassrls, rolcanlogin, rolcreaterole, rolcreatedb, rolreplication FROM pg_roles
    WHERE rolname LIKE 'rapport\\_%' ORDER BY 1`);
  const plain = {
    rolsuper: false,
    rolbypassrls: false,
    rolcanlogin: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
  };
  expect(roles).toEqual(
    ['rapport_app', 'rapport_auth', 'rapport_backup', 'rapport_eraser', 'rapport_system'].map(rolname => ({
      rolname,
      ...plain,
    })),
  );
  const owned =
    "SELECT relname FROM pg_class WHERE relowner IN ('rapport_app'::regrole, 'rapport_system'::regrole, 'rapport_eraser'::regrole, 'rapport_auth'::regrole)";
  expect(await ask(owned)).toEqual([]);
  const schemas = `SELECT nspname FROM pg_namespace, unnest(ARRAY['rapport_app', 'rapport_system', 'rapport_eraser']) AS role
    WHERE nspname NOT IN ('public', 'pg_catalog', 'information_schema') AND has_schema_privilege(role, oid, 'USAGE')`;
  expect(await ask(schemas)).toEqual([]);
});

it('the grants are exactly those that are documented', async () => {
  const grants = await ask<{ grantee: string; table: string; may: string }>(`
    SELECT grantee, table_name AS table, string_agg(privilege_type, ' ' ORDER BY privilege_type) AS may
    FROM information_schema.role_table_grants
    WHERE table_schema = 'public' AND grantee NOT IN (SELECT rolname FROM pg_roles WHERE rolsuper)
      AND grantee <> 'rapport_backup'
    GROUP BY 1, 2 ORDER BY 1, 2`);
  expect(grants.map(({ grantee, table, may }) => `${grantee} ${table}: ${may}`)).toEqual([
    'rapport_app api_keys: INSERT SELECT UPDATE',
    'rapport_app attention_marks: DELETE INSERT SELECT UPDATE',
    'rapport_app audit_events: INSERT SELECT',
    'rapport_app claim_audits: DELETE INSERT SELECT UPDATE',
    'rapport_app claim_rebuilds: INSERT SELECT UPDATE',
    'rapport_app claims: DELETE INSERT SELECT UPDATE',
    'rapport_app connections: DELETE INSERT SELECT UPDATE',
    'rapport_app entities: INSERT SELECT UPDATE',
    'rapport_app entity_links: INSERT SELECT',
    'rapport_app erased_identifiers: SELECT',
    'rapport_app erasures: SELECT',
    'rapport_app file_chunks: DELETE INSERT SELECT',
    'rapport_app files: DELETE INSERT SELECT UPDATE',
    'rapport_app idempotency_keys: DELETE INSERT SELECT',
    'rapport_app identifiers: INSERT SELECT',
    'rapport_app inbound_event_ids: INSERT SELECT',
    'rapport_app inbound_events: INSERT SELECT',
    'rapport_app invitations: SELECT',
    'rapport_app lead_lists: DELETE INSERT SELECT UPDATE',
    'rapport_app leads: INSERT SELECT UPDATE',
    'rapport_app likeness_scans: INSERT SELECT UPDATE',
    'rapport_app memberships: SELECT',
    'rapport_app merge_proposals: INSERT SELECT',
    'rapport_app name_words: DELETE INSERT SELECT',
    'rapport_app note_chunks: INSERT SELECT',
    'rapport_app note_log: INSERT SELECT',
    'rapport_app note_numbers: DELETE INSERT SELECT',
    'rapport_app note_statistics: INSERT SELECT UPDATE',
    'rapport_app note_terms: DELETE INSERT SELECT UPDATE',
    'rapport_app note_trigrams: INSERT SELECT UPDATE',
    'rapport_app note_words: INSERT SELECT',
    'rapport_app notes: SELECT',
    'rapport_app oauth_grants: INSERT SELECT UPDATE',
    'rapport_app oauth_refresh_tokens: DELETE INSERT SELECT UPDATE',
    'rapport_app observation_log: INSERT SELECT',
    'rapport_app observations: SELECT',
    'rapport_app outbox: INSERT',
    'rapport_app plugin_jobs: INSERT',
    'rapport_app plugin_run_reports: INSERT SELECT',
    'rapport_app plugin_runs: INSERT SELECT UPDATE',
    'rapport_app plugin_store: DELETE INSERT SELECT UPDATE',
    'rapport_app provider_authorizations: DELETE INSERT SELECT UPDATE',
    'rapport_app retention_runs: DELETE INSERT SELECT UPDATE',
    'rapport_app retention_settings: INSERT SELECT UPDATE',
    'rapport_app retracted_identifiers: SELECT',
    'rapport_app retractions: SELECT',
    'rapport_app saved_views: DELETE INSERT SELECT UPDATE',
    'rapport_app source_trust_versions: INSERT SELECT',
    'rapport_app usage_counters: INSERT SELECT',
    'rapport_app workspace_facts: INSERT SELECT',
    'rapport_app workspaces: SELECT',
    'rapport_auth audit_events: INSERT',
    'rapport_auth invitations: DELETE INSERT SELECT UPDATE',
    'rapport_auth memberships: DELETE INSERT SELECT UPDATE',
    'rapport_eraser attention_marks: DELETE SELECT UPDATE',
    'rapport_eraser audit_events: INSERT',
    'rapport_eraser claims: DELETE INSERT SELECT UPDATE',
    'rapport_eraser entities: SELECT UPDATE',
    'rapport_eraser entity_links: DELETE SELECT',
    'rapport_eraser erased_identifiers: DELETE INSERT SELECT',
    'rapport_eraser erasure_keys: INSERT SELECT UPDATE',
    'rapport_eraser erasures: INSERT SELECT UPDATE',
    'rapport_eraser file_chunks: DELETE SELECT',
    'rapport_eraser files: DELETE SELECT UPDATE',
    'rapport_eraser idempotency_keys: DELETE INSERT SELECT UPDATE',
    'rapport_eraser identifiers: DELETE SELECT',
    'rapport_eraser inbound_events: DELETE SELECT UPDATE',
    'rapport_eraser lead_lists: DELETE SELECT UPDATE',
    'rapport_eraser leads: DELETE INSERT SELECT UPDATE',
    'rapport_eraser merge_proposals: DELETE SELECT',
    'rapport_eraser name_words: DELETE INSERT SELECT',
    'rapport_eraser note_chunks: DELETE INSERT SELECT',
    'rapport_eraser note_log: DELETE SELECT UPDATE',
    'rapport_eraser note_numbers: DELETE INSERT SELECT',
    'rapport_eraser note_statistics: INSERT SELECT UPDATE',
    'rapport_eraser note_terms: DELETE INSERT SELECT UPDATE',
    'rapport_eraser note_trigrams: DELETE INSERT SELECT UPDATE',
    'rapport_eraser note_words: DELETE INSERT SELECT',
    'rapport_eraser notes: SELECT',
    'rapport_eraser observation_log: DELETE INSERT SELECT UPDATE',
    'rapport_eraser observations: SELECT',
    'rapport_eraser outbox: DELETE INSERT SELECT UPDATE',
    'rapport_eraser plugin_jobs: DELETE SELECT UPDATE',
    'rapport_eraser plugin_run_reports: SELECT UPDATE',
    'rapport_eraser plugin_runs: SELECT UPDATE',
    'rapport_eraser plugin_store: DELETE SELECT UPDATE',
    'rapport_eraser retention_runs: SELECT UPDATE',
    'rapport_eraser retention_settings: SELECT UPDATE',
    'rapport_eraser retracted_identifiers: DELETE INSERT SELECT',
    'rapport_eraser retractions: INSERT SELECT UPDATE',
    'rapport_eraser saved_views: DELETE SELECT UPDATE',
    'rapport_eraser workspace_facts: SELECT UPDATE',
    'rapport_system api_keys: INSERT SELECT UPDATE',
    'rapport_system audit_events: INSERT',
    'rapport_system claim_rebuilds: SELECT UPDATE',
    'rapport_system deferred_migrations: INSERT SELECT UPDATE',
    'rapport_system erasure_keys: SELECT',
    'rapport_system idempotency_keys: DELETE SELECT',
    'rapport_system inbound_events: DELETE',
    'rapport_system oauth_clients: DELETE INSERT SELECT UPDATE',
    'rapport_system oauth_device_requests: DELETE INSERT SELECT UPDATE',
    'rapport_system oauth_grants: DELETE',
    'rapport_system oauth_refresh_tokens: DELETE',
    'rapport_system outbox: DELETE INSERT SELECT UPDATE',
    'rapport_system plugin_desired_states: INSERT SELECT UPDATE',
    'rapport_system plugin_jobs: DELETE INSERT SELECT UPDATE',
    'rapport_system plugin_run_reports: DELETE',
    'rapport_system plugin_runs: DELETE',
    'rapport_system plugin_schedules: INSERT SELECT UPDATE',
    'rapport_system plugin_statuses: DELETE INSERT SELECT UPDATE',
    'rapport_system plugin_store: DELETE',
    'rapport_system processes: DELETE INSERT SELECT UPDATE',
    'rapport_system provider_authorizations: DELETE',
    'rapport_system provider_limits: DELETE INSERT SELECT UPDATE',
    'rapport_system source_trust_versions: SELECT',
    'rapport_system usage_counters: DELETE INSERT SELECT UPDATE',
    'rapport_system workspaces: INSERT SELECT UPDATE',
  ]);
});

it('the backup role reads every row of every table, and changes none', async () => {
  const tables = await ask<{ table: string; may: string; sees_all: boolean }>(`
    SELECT c.relname AS table, (
        SELECT string_agg(privilege_type, ' ') FROM information_schema.role_table_grants g
        WHERE g.grantee = 'rapport_backup' AND g.table_schema = 'public' AND g.table_name = c.relname
      ) AS may, NOT c.relrowsecurity OR EXISTS (
        SELECT FROM pg_policies p WHERE p.tablename = c.relname AND p.roles = '{rapport_backup}' AND p.cmd = 'SELECT'
          AND p.qual = 'true'
      ) AS sees_all
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')`);
  expect(tables.length).toBeGreaterThan(20);
  expect(tables.filter(({ may, sees_all }) => may !== 'SELECT' || !sees_all)).toEqual([]);
});
