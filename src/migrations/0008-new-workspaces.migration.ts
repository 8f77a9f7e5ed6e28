import { Migration } from '@mikro-orm/migrations';

/** Lets people create workspaces: in the transaction of a workspace, the server of sign-in inserts its row. */
export class NewWorkspacesMigration extends Migration {
  override name = '0008-new-workspaces';

  override up(): void {
    this.addSql('GRANT INSERT (id, name, plan) ON workspaces TO rapport_auth');
    this.addSql(
      'CREATE POLICY creation ON workspaces FOR INSERT TO rapport_auth WITH CHECK (id = current_workspace())',
    );
  }
}
