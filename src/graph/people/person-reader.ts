import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { rulesOf } from '../claims/workspace-rules.js';
import type { Include } from '../lists/query-values.js';
import { type PersonClaim, type PersonEntity, readClaims, readIdentifiers, readPersons } from './people.queries.js';
import { epistemicsOf, narrowed, personRow, type Row, ROW_PROPERTIES } from './person-row.js';

/** What people were, instead of what they are. */
export interface FactsThen {
  /** Which time freshness is told at. */
  readonly now: Instant;
  /** What became known later is left out. */
  readonly knownAt: Instant | undefined;
  readonly claims: readonly PersonClaim[];
  readonly entityOf: (id: string) => Pick<PersonEntity, 'name' | 'first_activity_at' | 'last_activity_at'>;
  /** Whether somebody had written, called or come to us by then. */
  readonly turnedToUs: (id: string) => boolean;
}

/** What of a row is wanted. */
export interface RowWish {
  /** Absent: people as they are. */
  readonly past?: FactsThen | undefined;
  readonly fields?: readonly string[];
  readonly include: ReadonlySet<Include>;
}

/** What is read about a person behind a row. */
export interface PersonView {
  readonly row: Row;
  readonly claims: ReadonlyMap<string, PersonClaim>;
  /** What `include` adds: `claims`, `epistemics`. */
  readonly extra: Row;
}

/** What is known of these people, by id. Three statements in one round trip, however many they are. */
export async function readViews(tx: Tx, ids: readonly string[], wish: RowWish): Promise<Map<string, PersonView>> {
  if (ids.length === 0) return new Map();
  const wanted = wish.include.has('claims') ? undefined : propertiesOf(wish);
  const { past } = wish;
  const [now, entities, claims, identifiers] = await Promise.all([
    past?.now ?? tx.now(),
    readPersons(tx, ids),
    past?.claims ?? readClaims(tx, ids, wanted),
    readIdentifiers(tx, ids),
  ]);
  const rules = rulesOf(tx.workspace);
  const claimsOf = Map.groupBy(claims, claim => claim.entity_id);
  const known = identifiers.filter(({ first_seen }) => first_seen <= (past?.knownAt ?? Infinity));
  const identifiersOf = Map.groupBy(known, identifier => identifier.entity_id);
  return new Map(
    entities.map(kept => {
      const entity = past ? { ...kept, ...past.entityOf(kept.id) } : kept;
      const own = new Map((claimsOf.get(entity.id) ?? []).map(claim => [claim.property, claim]));
      const row = personRow({ entity, claims: own, identifiers: identifiersOf.get(entity.id) ?? [] });
      const extra = {
        ...(wish.include.has('claims') && { claims: epistemicsOf(rules, own.values(), now, true) }),
        ...(wish.include.has('epistemics') && { epistemics: epistemicsOf(rules, own.values(), now, false) }),
      };
      return [entity.id, { row, claims: own, extra }];
    }),
  );
}

/** Rows of these people, in the order of `ids`. */
export async function readRows(tx: Tx, ids: readonly string[], wish: RowWish): Promise<Row[]> {
  const views = await readViews(tx, ids, wish);
  return ids.flatMap(id => {
    const view = views.get(id);
    return view ? [shown(view.row, view, wish)] : [];
  });
}

/** A row as it was asked for. */
export function shown(row: Row, { claims, extra }: PersonView, { fields }: RowWish): Row {
  return { ...(fields ? narrowed(row, claims, fields) : row), ...extra };
}

function propertiesOf({ fields = [] }: RowWish): string[] {
  return [...new Set([...ROW_PROPERTIES, ...fields.map(canonicalProperty)])];
}
