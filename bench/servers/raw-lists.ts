import fastify from 'fastify';
import pg from 'pg';
import { serve } from '../stage/serve.ts';

/** The rows that a page of a list is made of, read with the raw driver and answered as they come. */
const statements = {
  people: `SELECT id FROM entities WHERE workspace_id = $1 AND type = 'person' AND canonical_id IS NULL
    AND last_activity_at IS NOT NULL ORDER BY last_activity_at DESC, id DESC LIMIT 50`,
  leads: `SELECT l.*, list.name AS list_name FROM leads l
    JOIN lead_lists list ON list.workspace_id = $1 AND list.id = l.list_id
    WHERE l.workspace_id = $1 ORDER BY l.created_at DESC, l.id DESC LIMIT 50`,
  entities: `SELECT e.id, e.name, e.created_at, e.first_activity_at, e.last_activity_at, e.company_id,
      company.name AS company_name
    FROM entities e LEFT JOIN entities company ON company.workspace_id = $1 AND company.id = e.company_id
    WHERE e.workspace_id = $1 AND e.id = ANY ($2::uuid[])`,
  claims: `SELECT entity_id, property, value, confidence, class, supported_at, updated_at FROM claims
    WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND supported_at IS NOT NULL`,
  identifiers: `SELECT entity_id, kind, value, first_seen FROM identifiers
    WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND kind IN ('email', 'linkedin')`,
};

const workspace = process.env['BENCH_WORKSPACE']!;
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, text => text);
const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 10,
  types,
  pipeline: true,
} as pg.PoolConfig);
// A superuser is above row-level security; anybody else has to take the role and the workspace of a tenant.
pool.on('connect', client => {
  void client.query(`SET ROLE rapport_app; SET app.workspace_id = '${workspace}'`);
});

const app = fastify();
app.get<{ Params: { list: 'people' | 'leads' } }>('/:list', async ({ params: { list } }) => {
  const client = await pool.connect();
  const read = async (name: keyof typeof statements, ...about: unknown[]) =>
    (await client.query({ name, text: statements[name], values: [workspace, ...about] })).rows as { id: string }[];
  try {
    const rows = await read(list);
    const ids = rows.map(row => (row as { entity_id?: string }).entity_id ?? row.id);
    const parts = await Promise.all([read('entities', ids), read('claims', ids), read('identifiers', ids)]);
    const [entities, claims, identifiers] = parts;
    return { rows, entities, claims, identifiers };
  } finally {
    client.release();
  }
});

serve<'open', string>(() => app.listen({ host: '127.0.0.1', port: 0 }));
