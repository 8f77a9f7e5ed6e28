import type pg from 'pg';
import { findViolatedConstraint } from './database-errors.js';

/** Role that reads every row of every table and changes nothing, for dumps. */
export const BACKUP_ROLE = 'rapport_backup';

/** Schemas with tables of the hub. Users, passwords and sessions lie in the second one. */
export const HUB_SCHEMAS = ['public', 'rapport_auth'] as const;
const HUB_SCHEMAS_SQL = HUB_SCHEMAS.map(name => `'${name}'`).join(', ');

/** Returns the statements that let the backup role read a table with row-level security. */
export function allowBackup(table: string): string[] {
  return [
    `GRANT SELECT ON ${table} TO ${BACKUP_ROLE}`,
    `CREATE POLICY backup ON ${table} FOR SELECT TO ${BACKUP_ROLE} USING (true)`,
  ];
}

/**
 * Lets the backup role read every table of the hub. Runs after all migrations, so that no table can be forgotten: a dump
 * that lacks a table says nothing about it. Changes nothing, and locks nothing, where the role may read already.
 */
export const ALLOW_BACKUP_OF_ALL = `
  DO $$
  DECLARE item record;
  BEGIN
    FOR item IN SELECT nspname AS name FROM pg_namespace WHERE nspname IN (${HUB_SCHEMAS_SQL}) LOOP
      IF NOT has_schema_privilege('${BACKUP_ROLE}', item.name, 'USAGE') THEN
        EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${BACKUP_ROLE}', item.name);
      END IF;
    END LOOP;
    FOR item IN
      SELECT c.oid::regclass AS name, c.oid, c.relkind, c.relrowsecurity FROM pg_class c
      WHERE c.relnamespace::regnamespace::text IN (${HUB_SCHEMAS_SQL}) AND c.relkind IN ('r', 'p', 'S')
        AND pg_has_role(c.relowner, 'MEMBER')
    LOOP
      IF item.relkind = 'S' THEN
        IF NOT has_sequence_privilege('${BACKUP_ROLE}', item.oid, 'SELECT') THEN
          EXECUTE format('GRANT SELECT ON SEQUENCE %s TO ${BACKUP_ROLE}', item.name);
        END IF;
        CONTINUE;
      END IF;
      IF NOT has_table_privilege('${BACKUP_ROLE}', item.oid, 'SELECT') THEN
        EXECUTE format('GRANT SELECT ON %s TO ${BACKUP_ROLE}', item.name);
      END IF;
      IF item.relrowsecurity
         AND NOT EXISTS (SELECT FROM pg_policy p WHERE p.polrelid = item.oid AND p.polname = 'backup') THEN
        EXECUTE format('CREATE POLICY backup ON %s FOR SELECT TO ${BACKUP_ROLE} USING (true)', item.name);
      END IF;
    END LOOP;
  END $$`;

/**
 * `rapport_app` works for one workspace at a time; `rapport_system` reads the directory and outbox of all workspaces;
 * `rapport_eraser` works for one workspace and may delete personal data; `rapport_auth` reads people's accounts, sessions and
 * memberships, and nothing of the graph; `rapport_backup` reads everything, for dumps, and no request runs as it.
 */
const DATABASE_ROLES = ['rapport_app', 'rapport_system', 'rapport_eraser', 'rapport_auth', BACKUP_ROLE] as const;

const MIN_VERSION_WITH_SET_OPTION = 160_000;
const MAX_ATTEMPTS = 5;

/** Thrown if the owner may not create roles; its message contains the SQL for a database administrator. */
export class MissingRolesError extends Error {}

/**
 * Ensures that all roles exist and that the owner may switch to them. Roles belong to the whole server, so two hubs
 * that start together may both try to create them; the second one finds them.
 * @throws MissingRolesError if the owner may not create or use them.
 */
export async function ensureRoles(pool: pg.Pool): Promise<void> {
  try {
    for (const role of DATABASE_ROLES) await ensureRole(pool, role);
  } catch (error) {
    throw new MissingRolesError(
      `The user of DATABASE_URL may not create the roles that Rapport works as (${String(error)}). ` +
        `A database administrator should run:\n  ${(await listStatements(pool)).join('\n  ')}`,
      { cause: error },
    );
  }
}

/** Runs one statement at a time and checks again after each: another hub may be doing the same. */
async function ensureRole(pool: pg.Pool, role: string): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const needed = await findNextStatement(pool, role);
    if (!needed) return;
    await pool.query(needed).catch(ignoreAlreadyExists);
  }
  throw new Error(`the role ${role} cannot be taken`);
}

interface RoleStatus {
  readonly exists: boolean;
  readonly canSetRole: boolean | null;
  readonly createSql: string;
  readonly grantSql: string;
}

async function findNextStatement(pool: pg.Pool, role: string): Promise<string | undefined> {
  const { exists, canSetRole, createSql, grantSql } = await readRoleStatus(pool, role);
  if (!exists) return createSql;
  return canSetRole ? undefined : grantSql;
}

async function listStatements(pool: pg.Pool): Promise<string[]> {
  const all = await Promise.all(DATABASE_ROLES.map(role => readRoleStatus(pool, role)));
  return all.flatMap(({ exists, canSetRole, createSql, grantSql }) => {
    if (!exists) return [createSql, grantSql];
    return canSetRole ? [] : [grantSql];
  });
}

/**
 * Reads which statements a role still needs. Since PostgreSQL 16 the creator of a role administers it but may not
 * switch to it, so membership is not sufficient there. The owner must not inherit the roles' rights, or it would
 * bypass row-level security by accident.
 */
async function readRoleStatus(pool: pg.Pool, role: string): Promise<RoleStatus> {
  const { rows } = await pool.query<{ owner: string; version: number; present: boolean }>(
    `SELECT quote_ident(current_user) AS owner, current_setting('server_version_num')::int AS version,
            to_regrole($1) IS NOT NULL AS present`,
    [role],
  );
  const { owner, version, present: exists } = rows[0]!;
  const modern = version >= MIN_VERSION_WITH_SET_OPTION;
  const become = await pool.query<{ may: boolean | null }>('SELECT pg_has_role(to_regrole($1), $2) AS may', [
    role,
    modern ? 'SET' : 'MEMBER',
  ]);
  return {
    exists,
    canSetRole: become.rows[0]!.may,
    createSql: `CREATE ROLE ${role} NOLOGIN;`,
    grantSql: `GRANT ${role} TO ${owner}${modern ? ' WITH INHERIT FALSE, SET TRUE' : ''};`,
  };
}

function ignoreAlreadyExists(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const raced = code === '42710' || code === 'XX000' || findViolatedConstraint(error) !== undefined;
  if (!raced) throw error;
}
