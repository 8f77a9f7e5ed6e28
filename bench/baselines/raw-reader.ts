import pg from 'pg';

/** Rows as the driver gives them, under the name of the statement that asks for them. */
export type Read<Name extends string> = (name: Name, ...about: unknown[]) => Promise<Record<string, unknown>[]>;

const workspace = process.env['BENCH_WORKSPACE']!;

/**
 * What a server needs that reads one workspace with the raw driver and nothing else: prepared statements, several under
 * way on one connection, times as PostgreSQL writes them. The first parameter of every statement is the workspace.
 * @returns runs something that reads on a connection of its own.
 */
export function openReader<Name extends string>(statements: Readonly<Record<Name, string>>) {
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
  return async <Answer>(ask: (read: Read<Name>) => Promise<Answer>): Promise<Answer> => {
    const client = await pool.connect();
    try {
      return await ask(
        async (name, ...about) =>
          (await client.query({ name, text: statements[name], values: [workspace, ...about] })).rows,
      );
    } finally {
      client.release();
    }
  };
}
