import type pg from 'pg';
import { brokenUniqueConstraint } from './failures.js';

/** `rapport_app` works for one workspace at a time; `rapport_system` sees the directory and the outbox of all. */
const roles = ['rapport_app', 'rapport_system'] as const;

const SETTABLE_SINCE = 160_000;
const ATTEMPTS = 5;

/** Thrown when the owner may not create roles; its message holds the SQL for a database administrator. */
export class RolesMissing extends Error {}

/**
 * Makes sure that the two plain roles exist and that the owner may become them. Roles belong to the whole server,
 * so two hubs that start at once may both try: the one that comes second finds them there.
 */
export async function ensureRoles(pool: pg.Pool): Promise<void> {
  try {
    for (const role of roles) await ensureRole(pool, role);
  } catch (error) {
    throw new RolesMissing(
      `The user of DATABASE_URL may not create the roles that Rapport works as (${String(error)}). ` +
        `A database administrator should run:\n  ${(await allStatements(pool)).join('\n  ')}`,
      { cause: error },
    );
  }
}

/** One statement at a time, looking again after each: another hub may be doing the same. */
async function ensureRole(pool: pg.Pool, role: string): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const needed = await nextStatement(pool, role);
    if (!needed) return;
    await pool.query(needed).catch(unlessThere);
  }
  throw new Error(`the role ${role} cannot be taken`);
}

interface Standing {
  readonly present: boolean;
  readonly mayBecome: boolean | null;
  readonly create: string;
  readonly grant: string;
}

async function nextStatement(pool: pg.Pool, role: string): Promise<string | undefined> {
  const { present, mayBecome, create, grant } = await standing(pool, role);
  if (!present) return create;
  return mayBecome ? undefined : grant;
}

async function allStatements(pool: pg.Pool): Promise<string[]> {
  const all = await Promise.all(roles.map(role => standing(pool, role)));
  return all.flatMap(({ present, mayBecome, create, grant }) => {
    if (!present) return [create, grant];
    return mayBecome ? [] : [grant];
  });
}

/**
 * Since PostgreSQL 16 who creates a role administers it but may not become it, so membership alone tells nothing
 * there; and the owner shall not inherit what the roles see, or it would be above row-level security by accident.
 */
async function standing(pool: pg.Pool, role: string): Promise<Standing> {
  const { rows } = await pool.query<{ owner: string; version: number; present: boolean }>(
    `SELECT quote_ident(current_user) AS owner, current_setting('server_version_num')::int AS version,
            to_regrole($1) IS NOT NULL AS present`,
    [role],
  );
  const { owner, version, present } = rows[0]!;
  const modern = version >= SETTABLE_SINCE;
  const become = await pool.query<{ may: boolean | null }>('SELECT pg_has_role(to_regrole($1), $2) AS may', [
    role,
    modern ? 'SET' : 'MEMBER',
  ]);
  return {
    present,
    mayBecome: become.rows[0]!.may,
    create: `CREATE ROLE ${role} NOLOGIN;`,
    grant: `GRANT ${role} TO ${owner}${modern ? ' WITH INHERIT FALSE, SET TRUE' : ''};`,
  };
}

function unlessThere(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const raced = code === '42710' || code === 'XX000' || brokenUniqueConstraint(error) !== undefined;
  if (!raced) throw error;
}
