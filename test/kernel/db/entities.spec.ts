import { MikroORM, SchemaGenerator } from '@mikro-orm/postgresql';
import { databaseSchema } from '../../../src/database-schema.js';
import { type FreshDatabase, migratedDatabase } from '../../support/database/database.js';

/** Entities declare no relations, so that no query loads rows by itself; the migrations have the foreign keys. */
const FOREIGN_KEY = /^alter table "\w+" drop constraint "\w+_fkey";$/;

let database: FreshDatabase;
let orm: MikroORM;

beforeAll(async () => {
  database = await migratedDatabase();
  orm = await MikroORM.init({
    entities: databaseSchema.entities,
    clientUrl: database.url,
    ensureDatabase: false,
    extensions: [SchemaGenerator],
    // Policies are tested in test/tenancy.
    schemaGenerator: { createForeignKeyConstraints: false, ignorePolicies: true },
  });
});

afterAll(async () => {
  await orm?.close();
  await database?.drop();
});

describe('the entities', () => {
  it('equal the tables that the migrations make: columns, types, defaults, keys, indexes and checks', async () => {
    const sql = await orm.schema.getUpdateSchemaSQL({ wrap: false, dropTables: false });
    expect(sql.split('\n').filter(line => line !== '' && !FOREIGN_KEY.test(line))).toEqual([]);
  });
});
