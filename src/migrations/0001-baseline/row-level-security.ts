/**
 * Returns the statements that hide the rows of a table from `rapport_app` and `rapport_eraser`, except those of the
 * current workspace. Row-level security is forced, so it holds for the owner of the table as well.
 */
export function isolateTenants(table: string): string[] {
  return [
    `ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`,
    `CREATE POLICY tenant ON ${table} TO rapport_app, rapport_eraser USING (workspace_id = current_workspace())`,
  ];
}

/** Returns the statement that shows the rows of all workspaces to `rapport_system`; grants decide what it may do. */
export function showToSystem(table: string): string {
  return `CREATE POLICY directory ON ${table} TO rapport_system USING (true)`;
}
