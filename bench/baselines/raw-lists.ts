import fastify from 'fastify';
import { serve } from '../env/serve.ts';
import { openReader } from './raw-reader.ts';

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
  claims: `SELECT entity_id, property, value, confidence, epistemic_class, supported_at, updated_at FROM claims
    WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND supported_at IS NOT NULL`,
  identifiers: `SELECT entity_id, kind, value, first_seen FROM identifiers
    WHERE workspace_id = $1 AND entity_id = ANY ($2::uuid[]) AND kind IN ('email', 'linkedin')`,
};

const reading = openReader(statements);

const app = fastify();
app.get<{ Params: { list: 'people' | 'leads' } }>('/:list', ({ params: { list } }) =>
  reading(async read => {
    const rows = await read(list);
    const ids = rows.map(({ id, entity_id }) => entity_id ?? id);
    const parts = await Promise.all([read('entities', ids), read('claims', ids), read('identifiers', ids)]);
    const [entities, claims, identifiers] = parts;
    return { rows, entities, claims, identifiers };
  }),
);

serve<'open', string>(() => app.listen({ host: '127.0.0.1', port: 0 }));
