import { Migration } from '@mikro-orm/migrations';

/**
 * The sources that support the value of a claim, for lists that filter and count by source. The state of the fold has
 * them too, but reading it would mean parsing it for every claim of a workspace. Null for claims that were last written
 * by a version that did not know the column; a deferred migration fills it.
 */
export class ClaimSourcesMigration extends Migration {
  override name = '0004-claim-sources';

  override up(): void {
    this.addSql('ALTER TABLE claims ADD COLUMN sources jsonb');
  }
}
