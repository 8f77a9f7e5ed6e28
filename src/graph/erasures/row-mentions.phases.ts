import { type ErasedPerson, type ErasurePhase, findWindowEnd, redactNullable, redactValue } from './erasure-phase.js';

const LEADS_PER_WINDOW = 2_000;

interface LeadRow {
  readonly id: string;
  readonly step: string | null;
  readonly reply_outcome: string | null;
  readonly features: unknown;
  readonly fields: unknown;
  readonly original: unknown;
  readonly layers: unknown;
}

/** Removes mentions of the person from the leads of others: from imported rows, fields and the reasons of scores. */
export const leadMentionsPhase: ErasurePhase = {
  name: 'mentions in leads',
  run: async (tx, { ids, matcher }, cursor) => {
    const end = await findWindowEnd(tx, 'leads', cursor, LEADS_PER_WINDOW);
    if (end === null) return { cursor: null, counts: {} };
    const rows = await tx.query<LeadRow>(
      `SELECT id, step, reply_outcome, features, fields, original, layers FROM leads
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2) AND id <= $3 AND entity_id <> ALL ($4)
         AND (concat_ws(' ', step, reply_outcome, features, fields, original, layers) ~* $5)`,
      [tx.workspace, cursor, end, ids, matcher.prefilter],
    );
    for (const row of rows) {
      const json = [row.features, row.fields, row.original, row.layers].map(value => redactValue(matcher, value));
      await tx.query(
        `UPDATE leads SET step = $3, reply_outcome = $4, features = $5, fields = $6, original = $7, layers = $8
         WHERE workspace_id = $1 AND id = $2`,
        [
          tx.workspace,
          row.id,
          redactNullable(matcher, row.step),
          redactNullable(matcher, row.reply_outcome),
          ...json.map(value => (value === null ? null : JSON.stringify(value))),
        ],
      );
    }
    return { cursor: end, counts: { leads_redacted: rows.length } };
  },
};

/** Removes mentions of the person from every version of the workspace's facts and from the names of lead lists. */
export const factMentionsPhase: ErasurePhase = {
  name: 'mentions in facts and lists',
  run: async (tx, { matcher }: ErasedPerson) => {
    const facts = await tx.query<FactRow>(
      `SELECT section, version, content, source, note, subject, source_path FROM workspace_facts
       WHERE workspace_id = $1 AND concat_ws(' ', content, source, note, subject, source_path) ~* $2`,
      [tx.workspace, matcher.prefilter],
    );
    for (const row of facts) {
      await tx.query(
        `UPDATE workspace_facts SET content = $4, source = $5, note = $6, subject = $7, source_path = $8
         WHERE workspace_id = $1 AND section = $2 AND version = $3`,
        [
          tx.workspace,
          row.section,
          row.version,
          JSON.stringify(redactValue(matcher, row.content)),
          redactNullable(matcher, row.source),
          redactNullable(matcher, row.note),
          redactNullable(matcher, row.subject),
          redactNullable(matcher, row.source_path),
        ],
      );
    }
    const lists = await tx.query<{ id: string; name: string; source: string; columns: unknown }>(
      `SELECT id, name, source, columns FROM lead_lists
       WHERE workspace_id = $1 AND concat_ws(' ', name, source, columns) ~* $2`,
      [tx.workspace, matcher.prefilter],
    );
    for (const { id, name, source, columns } of lists) {
      await tx.query('UPDATE lead_lists SET name = $3, source = $4, columns = $5 WHERE workspace_id = $1 AND id = $2', [
        tx.workspace,
        id,
        redactNullable(matcher, name),
        redactNullable(matcher, source),
        JSON.stringify(redactValue(matcher, columns)),
      ]);
    }
    return { cursor: null, counts: { facts_redacted: facts.length } };
  },
};

interface FactRow {
  readonly section: string;
  readonly version: number;
  readonly content: unknown;
  readonly source: string;
  readonly note: string | null;
  readonly subject: string | null;
  readonly source_path: string | null;
}
