import fastify from 'fastify';
import pg from 'pg';
import { serve } from '../stage/serve.ts';

/** The rows that an account is made of, read with the raw driver and answered as they come. */
const statements = {
  owner: "SELECT entity_id FROM identifiers WHERE workspace_id = $1 AND kind = 'email' AND key = $2",
  entity: `SELECT e.id, e.type, e.name, e.created_at, e.first_activity_at, e.last_activity_at,
      e.last_inbound_activity_at, e.company_id, company.name AS company_name, domain.key AS company_domain
    FROM entities e
    LEFT JOIN entities company ON company.workspace_id = $1 AND company.id = e.company_id
    LEFT JOIN identifiers domain
      ON domain.workspace_id = $1 AND domain.entity_id = e.company_id AND domain.kind = 'domain'
    WHERE e.workspace_id = $1 AND e.id = $2`,
  identifiers: 'SELECT kind, value, key, first_seen FROM identifiers WHERE workspace_id = $1 AND entity_id = $2',
  claims: 'SELECT property, state FROM claims WHERE workspace_id = $1 AND entity_id = $2 ORDER BY property',
  timeline: `SELECT id, entity_id, kind, property, value, source, method, observed_at, recorded_at, external_id
    FROM observations WHERE workspace_id = $1 AND entity_id = $2 ORDER BY observed_at DESC, id DESC LIMIT 50`,
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
app.get<{ Params: { email: string } }>('/:email', async ({ params: { email } }) => {
  const client = await pool.connect();
  const read = async (name: keyof typeof statements, about: string) =>
    (await client.query({ name, text: statements[name], values: [workspace, about] })).rows;
  try {
    const [{ entity_id: id }] = await read('owner', email);
    const [[entity], identifiers, claims, timeline] = await Promise.all([
      read('entity', id),
      read('identifiers', id),
      read('claims', id),
      read('timeline', id),
    ]);
    return { entity, identifiers, claims, recent_observations: timeline };
  } finally {
    client.release();
  }
});

serve<'open', string>(() => app.listen({ host: '127.0.0.1', port: 0 }));
