import fastify from 'fastify';
import { serve } from '../env/serve.ts';
import { openReader } from './raw-reader.ts';

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

const reading = openReader(statements);

const app = fastify();
app.get<{ Params: { email: string } }>('/:email', ({ params: { email } }) =>
  reading(async read => {
    const [owner] = await read('owner', email);
    const id = owner!['entity_id'];
    const [[entity], identifiers, claims, timeline] = await Promise.all([
      read('entity', id),
      read('identifiers', id),
      read('claims', id),
      read('timeline', id),
    ]);
    // An account is made of states, not of their texts.
    const parsed = claims.map(claim => ({ ...claim, state: JSON.parse(claim['state'] as string) as unknown }));
    return { entity, identifiers, claims: parsed, recent_observations: timeline };
  }),
);

serve<'open', string>(() => app.listen({ host: '127.0.0.1', port: 0 }));
