import { newId } from '#kernel/ids.js';
import { readEnv } from '#kernel/config/env.js';
import { type Database, openDatabase } from '#kernel/db/database.js';
import { OpaqueStatesMigration } from '#graph/migrations/opaque-states.migration.js';
import { schema } from '../../src/schema.js';
import { freshDatabase, type FreshDatabase } from '../support/database.js';

const quiet = { info: () => undefined, error: () => undefined };
const [workspace, entity, first, second] = [newId(), newId(), newId(), newId()] as const;
const DUE = 1_900_000_000_123_457;

let fresh: FreshDatabase;
let database: Database | undefined;

beforeAll(async () => {
  fresh = await freshDatabase();
});
afterAll(async () => {
  await database?.close();
  await fresh.drop();
});

/** Opens the database as a hub with these migrations does. */
async function open(migrations = schema.migrations): Promise<Database> {
  await database?.close();
  const env = readEnv({ DATABASE_URL: fresh.url, DATABASE_POOL: '4' });
  return (database = await openDatabase(env, { ...schema, migrations }, quiet));
}

const newest = (id: string) => ({ newest: { id } });

it('what stands beside the state of a claim is filled from claims that were kept before, spoilt ones among them', async () => {
  const before = schema.migrations.slice(0, schema.migrations.indexOf(OpaqueStatesMigration));
  const states = {
    many: { nextChangeAt: null, tracks: [newest(second), newest(first)] },
    one: { nextChangeAt: DUE, tracks: [newest(first)] },
    planned: { nextChangeAt: DUE, tracks: [] },
    spoilt: { nextChangeAt: 'soon', tracks: [newest('nobody')] },
    twisted: { nextChangeAt: 10 ** 17, tracks: [newest('-'.repeat(36))] },
    text: 'nothing of the kind',
  };
  const old = await open(before);
  await old.pool.query(
    `INSERT INTO claims (workspace_id, entity_id, property, state)
     SELECT $1, $2, key, value FROM json_each($3)`,
    [workspace, entity, JSON.stringify(states)],
  );
  const now = await open();
  expect(now.applied).toContain('2026-11-23-opaque-states');
  const { rows } = await now.pool.query('SELECT property, state, ref, next_change_at FROM claims ORDER BY property');
  const kept = (property: keyof typeof states, ref: string | null, due: number | null) => ({
    property,
    state: JSON.stringify(states[property]),
    ref,
    next_change_at: due,
  });
  expect(rows).toEqual([
    kept('many', second, null),
    kept('one', first, DUE),
    kept('planned', null, DUE),
    kept('spoilt', null, null),
    kept('text', null, null),
    kept('twisted', null, null),
  ]);
});
