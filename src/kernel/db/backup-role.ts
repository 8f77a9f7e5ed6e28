/** Role that reads every row of every table and changes nothing, for dumps. */
export const BACKUP_ROLE = 'rapport_backup';

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
    IF NOT has_schema_privilege('${BACKUP_ROLE}', 'public', 'USAGE') THEN
      GRANT USAGE ON SCHEMA public TO ${BACKUP_ROLE};
    END IF;
    FOR item IN
      SELECT c.oid::regclass AS name, c.oid, c.relkind, c.relrowsecurity FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S')
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
