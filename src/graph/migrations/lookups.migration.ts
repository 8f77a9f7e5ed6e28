import { Migration } from '@mikro-orm/migrations';

/**
 * Leads are looked up by whom they are about, lists by their id, events by whose they are, also by plans that were made
 * while the tables were empty. There every index that begins with the workspace looks as good as the one for the
 * look-up, and of equals the planner takes the youngest: an order of leads, by which it would read all leads of the
 * workspace for each person. The indexes of leads cannot hold the rows of a list only, since all leads are in one; so the
 * one for the look-up is made last. One for another order has to be followed by it again, which a test sees to.
 */
export class LookupsMigration extends Migration {
  override name = '2026-11-22-lookups';

  override up(): void {
    this.addSql('DROP INDEX leads_entity');
    this.addSql('CREATE INDEX leads_entity ON leads (workspace_id, entity_id)');
    // Nobody reads lists by when they were made: their ids are in that order.
    this.addSql('DROP INDEX lead_lists_created');
    // These conditions are always true and keep the planner from taking an index where a query does not name them.
    this.addSql('DROP INDEX lead_lists_name');
    this.addSql('CREATE INDEX lead_lists_name ON lead_lists (workspace_id, name) WHERE name IS NOT NULL');
    this.addSql('DROP INDEX observations_by_property');
    this.addSql(`
      CREATE INDEX observations_by_property ON observations (workspace_id, property COLLATE "C", happens_at, id)
      WHERE happens_at > '-infinity'`);
  }
}
