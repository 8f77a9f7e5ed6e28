import type { JsonValue } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type SecretBox, UnsealError } from '#kernel/secrets/secret-box.js';
import { NO_CONNECTION, toStoreSecretPlace } from '#plugin-host/store/plugin-store.js';
import {
  type ErasedPerson,
  type ErasurePhase,
  findWindowEnd,
  redactNullable,
  redactValue,
  isKeyAbout,
} from './erasure-phase.js';

const LEADS_PER_WINDOW = 2_000;

interface LeadRow {
  readonly id: string;
  readonly step: string | null;
  readonly reply_outcome: string | null;
  readonly features: unknown;
  readonly fields: unknown;
  readonly original: unknown;
  readonly layers: unknown;
  readonly source: string | null;
}

/** Removes mentions of the person from the leads of others: from imported rows, fields and the reasons of scores. */
export const leadMentionsPhase: ErasurePhase = {
  name: 'mentions in leads',
  run: async (tx, { ids, matcher }, cursor) => {
    const end = await findWindowEnd(tx, 'leads', cursor, LEADS_PER_WINDOW);
    if (end === null) return { cursor: null, counts: {} };
    const rows = await tx.query<LeadRow>(
      `SELECT id, step, reply_outcome, features, fields, original, layers, source FROM leads
       WHERE workspace_id = $1 AND ($2::uuid IS NULL OR id > $2) AND id <= $3 AND entity_id <> ALL ($4)
         AND (concat_ws(' ', step, reply_outcome, features, fields, original, layers, source) ~* $5)`,
      [tx.workspace, cursor, end, ids, matcher.prefilter],
    );
    for (const row of rows) {
      const json = [row.features, row.fields, row.original, row.layers].map(value => redactValue(matcher, value));
      await tx.query(
        `UPDATE leads SET step = $3, reply_outcome = $4, source = $5, features = $6, fields = $7, original = $8, layers = $9
         WHERE workspace_id = $1 AND id = $2`,
        [
          tx.workspace,
          row.id,
          redactNullable(matcher, row.step),
          redactNullable(matcher, row.reply_outcome),
          redactNullable(matcher, row.source),
          ...json.map(value => (value === null ? null : JSON.stringify(value))),
        ],
      );
    }
    return { cursor: end, counts: { leads_redacted: rows.length } };
  },
};

/**
 * Removes mentions of the person from every version of the workspace's facts, from the names of lead lists, from the
 * reasons of retractions, from notes on attention items and from saved views.
 */
export const factMentionsPhase: ErasurePhase = {
  name: 'mentions in facts, lists, retractions, marks and views',
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
    const retractions = await tx.query<{ id: string; source: string; reason: string | null }>(
      `SELECT id, source, reason FROM retractions WHERE workspace_id = $1 AND concat_ws(' ', source, reason) ~* $2`,
      [tx.workspace, matcher.prefilter],
    );
    for (const { id, source, reason } of retractions) {
      await tx.query('UPDATE retractions SET source = $3, reason = $4 WHERE workspace_id = $1 AND id = $2', [
        tx.workspace,
        id,
        redactNullable(matcher, source),
        redactNullable(matcher, reason),
      ]);
    }
    const marks = await tx.query<{ item_id: string; note: string }>(
      'SELECT item_id, note FROM attention_marks WHERE workspace_id = $1 AND note ~* $2',
      [tx.workspace, matcher.prefilter],
    );
    for (const { item_id, note } of marks) {
      await tx.query('UPDATE attention_marks SET note = $3 WHERE workspace_id = $1 AND item_id = $2', [
        tx.workspace,
        item_id,
        redactNullable(matcher, note),
      ]);
    }
    const views = await tx.query<{ id: string; name: string; query: unknown }>(
      `SELECT id, name, query FROM saved_views WHERE workspace_id = $1 AND concat_ws(' ', name, query) ~* $2`,
      [tx.workspace, matcher.prefilter],
    );
    for (const { id, name, query } of views) {
      const redacted = redactNullable(matcher, name);
      await tx.query('UPDATE saved_views SET name = $3, query = $4 WHERE workspace_id = $1 AND id = $2', [
        tx.workspace,
        id,
        // Two views must not end up with the same name.
        redacted === name ? name : `${redacted} ${id}`,
        JSON.stringify(redactValue(matcher, query)),
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

const VALUES_PER_PAGE = 200;

interface StoreRow {
  readonly plugin: string;
  readonly connection_id: string;
  readonly key: string;
  readonly value: string;
}

type Outcome = 'unchanged' | 'erased' | 'unreadable';

/**
 * Erases the person from what plugins store, such as delivery logs, which is sealed. A value about the person, or under
 * a key that names them, is deleted; from other values mentions are removed. A value that no key opens is counted and
 * left as it is.
 */
export function createPluginStorePhase(box: SecretBox): ErasurePhase {
  return {
    name: 'plugin storage',
    run: async (tx, person, cursor) => {
      const [plugin, connection, key] = cursor === null ? [] : (JSON.parse(cursor) as string[]);
      const rows = await tx.query<StoreRow>(
        `SELECT plugin, connection_id, key, value FROM plugin_store
         WHERE workspace_id = $1 AND ($2::text IS NULL OR (plugin, connection_id, key) > ($2, $3::uuid, $4))
         ORDER BY plugin, connection_id, key LIMIT ${VALUES_PER_PAGE} FOR UPDATE`,
        [tx.workspace, plugin ?? null, connection ?? null, key ?? null],
      );
      const outcomes: Outcome[] = [];
      for (const row of rows) outcomes.push(await eraseValue(tx, box, person, row));
      const last = rows.at(-1);
      return {
        cursor:
          last && rows.length === VALUES_PER_PAGE ? JSON.stringify([last.plugin, last.connection_id, last.key]) : null,
        counts: {
          plugin_values: outcomes.filter(outcome => outcome === 'erased').length,
          unreadable_values: outcomes.filter(outcome => outcome === 'unreadable').length,
        },
      };
    },
  };
}

async function eraseValue(tx: Tx, box: SecretBox, person: ErasedPerson, row: StoreRow): Promise<Outcome> {
  const { plugin, key } = row;
  const connectionId = row.connection_id === NO_CONNECTION ? null : row.connection_id;
  const place = toStoreSecretPlace({ workspaceId: tx.workspace, plugin, connectionId }, key);
  const where = 'WHERE workspace_id = $1 AND plugin = $2 AND connection_id = $3 AND key = $4';
  const values = [tx.workspace, plugin, row.connection_id, key];
  let value: JsonValue;
  try {
    value = JSON.parse(box.open(place, row.value)) as JsonValue;
  } catch (error) {
    if (error instanceof UnsealError) return 'unreadable';
    throw error;
  }
  if (isKeyAbout(person, key) || statesId(person, value)) {
    await tx.query(`DELETE FROM plugin_store ${where}`, values);
    return 'erased';
  }
  const redacted = redactValue(person.matcher, value);
  if (redacted === value) return 'unchanged';
  const sealed = JSON.stringify(box.seal(place, JSON.stringify(redacted)));
  await tx.query(`UPDATE plugin_store SET value = $5, updated_at = now() ${where}`, [...values, sealed]);
  return 'erased';
}

/** Returns whether a field of an object is an id of the person, as `entity_id` of a delivery. */
function statesId({ ids }: ErasedPerson, value: JsonValue): boolean {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.values(value).some(field => typeof field === 'string' && ids.includes(field));
}
