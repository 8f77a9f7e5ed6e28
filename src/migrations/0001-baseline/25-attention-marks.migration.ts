import { Migration } from '@mikro-orm/migrations';
import { isolateTenants } from './row-level-security.js';

/**
 * Items of the attention list that somebody put off or dealt with. Items themselves are derived on read and not stored. A
 * mark belongs to the entity of its item, so that the erasure of a person removes it with its note.
 */
export class AttentionMarksMigration extends Migration {
  override name = '0001-baseline-25-attention-marks';

  override up(): void {
    this.addSql(`
      CREATE TABLE attention_marks (
        workspace_id uuid NOT NULL,
        item_id text COLLATE "C" NOT NULL,
        entity_id uuid NOT NULL,
        state text NOT NULL CHECK (state IN ('snoozed', 'done')),
        snoozed_until timestamptz CHECK ((state = 'snoozed') = (snoozed_until IS NOT NULL)),
        note text,
        actor_kind text NOT NULL,
        actor_id text NOT NULL,
        marked_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, item_id),
        FOREIGN KEY (workspace_id, entity_id) REFERENCES entities (workspace_id, id)
      )`);
    this.addSql('CREATE INDEX attention_marks_entity ON attention_marks (workspace_id, entity_id)');
    for (const sql of isolateTenants('attention_marks')) this.addSql(sql);
    this.addSql('GRANT SELECT, INSERT, UPDATE, DELETE ON attention_marks TO rapport_app');
    this.addSql('GRANT SELECT, UPDATE, DELETE ON attention_marks TO rapport_eraser');
  }
}
