import { toClaim } from '#domain/claims/present-claim.js';
import type { FactChange, PropertyCount } from '#domain/query/summarize.js';
import { type Instant, parseInstant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { readStates } from '../claims/states.queries.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { bindWorkspace } from '../lists/sql-params.js';
import { withCorpusSql, type LogRow } from './query.queries.js';
import type { Corpus } from './corpus-sql.js';

/** Maximum number of facts that are checked for changes. */
const MAX_FACTS = 100;

/** Counts the observations of each property, most frequent first, with the newest three IDs. One statement. */
export async function readPropertyCounts(tx: Tx, corpus: Corpus): Promise<PropertyCount[]> {
  if (corpus.scope.properties.length === 0) return [];
  const params = bindWorkspace(tx);
  return tx.query<PropertyCount>(
    `${withCorpusSql(corpus, params)}
     SELECT property, count(*)::int AS count, count(DISTINCT entity_id)::int AS entities,
            (array_agg(id::text ORDER BY happens_at DESC, id DESC))[1:3] AS ids
     FROM corpus GROUP BY property ORDER BY count(*) DESC, property`,
    params.values,
  );
}

/** Finds the changes between two times of the facts that these rows state, latest first. One statement. */
export async function readChanges(
  tx: Tx,
  rules: ClaimRules,
  rows: readonly LogRow[],
  from: Instant,
  to: Instant,
): Promise<FactChange[]> {
  const states = rows.filter(({ kind }) => kind === 'state');
  const stated = new Map(states.map(row => [`${row.entity_id} ${row.property}`, row]));
  const keys = [...stated.values()]
    .slice(0, MAX_FACTS)
    .map(row => ({ entityId: row.entity_id, property: row.property }));
  if (keys.length === 0) return [];
  const stored = await readStates(tx, keys);
  const changes = stored.flatMap(({ entityId, property, state }) => {
    const claim = toClaim(rules, property, state, to, { history: true });
    const entity = stated.get(`${entityId} ${property}`)?.entity_name ?? entityId;
    return (claim?.history ?? []).flatMap((period, i): FactChange[] => {
      const at = parseInstant(period.valid_to)!;
      if (at < from || at > to) return [];
      const after = claim!.history![i - 1]?.value ?? claim!.value;
      const day = period.valid_to.slice(0, 10);
      return [{ entity, property, before: period.value, after, day, id: period.ended_by }];
    });
  });
  return changes.toSorted((a, b) => (a.day === b.day ? (a.id < b.id ? 1 : -1) : a.day < b.day ? 1 : -1));
}
