import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { defaultRules, type ClaimRules } from '#domain/claims/rules.js';
import type { Include } from '../lists/list-parameters.js';
import {
  type PersonClaim,
  type PersonEntity,
  readPersonClaims,
  readPersonIdentifiers,
  readPeople,
} from './people.queries.js';
import { PERSON_PROPERTIES } from './people.source.js';
import { presentEpistemics, pickFields, toPersonRow, type Row } from './person-row.js';

/** Facts of people as of a past time. */
export interface HistoricalFacts {
  /** Time that freshness is computed for. */
  readonly now: Instant;
  /** Excludes what was recorded later. */
  readonly knownAt: Instant | undefined;
  readonly claims: readonly PersonClaim[];
  readonly entityOf: (id: string) => Pick<PersonEntity, 'name' | 'first_activity_at' | 'last_activity_at'>;
  /** Returns whether a person had an inbound event by then. */
  readonly hasInbound: (id: string) => boolean;
}

/** Which parts of a row to return. */
export interface RowOptions {
  /** Undefined: the current facts. */
  readonly past?: HistoricalFacts | undefined;
  readonly fields?: readonly string[];
  readonly include: ReadonlySet<Include>;
  /** Rules for the freshness that `include` adds. Default: the default rules. */
  readonly rules?: ClaimRules;
}

/** The person behind a row. */
export interface PersonRecord {
  readonly row: Row;
  readonly claims: ReadonlyMap<string, PersonClaim>;
  /** Fields that `include` adds: `claims`, `epistemics`. */
  readonly extra: Row;
}

/** Reads the records of these people, by id. Three statements in one round trip. */
export async function readPersonRecords(
  tx: Tx,
  ids: readonly string[],
  options: RowOptions,
): Promise<Map<string, PersonRecord>> {
  if (ids.length === 0) return new Map();
  const properties = options.include.has('claims') ? undefined : listProperties(options);
  const { past, rules = defaultRules } = options;
  const [now, entities, claims, identifiers] = await Promise.all([
    past?.now ?? tx.now(),
    readPeople(tx, ids),
    past?.claims ?? readPersonClaims(tx, ids, properties),
    readPersonIdentifiers(tx, ids),
  ]);
  const claimsOf = Map.groupBy(claims, claim => claim.entity_id);
  const known = identifiers.filter(({ first_seen }) => first_seen <= (past?.knownAt ?? Infinity));
  const identifiersOf = Map.groupBy(known, identifier => identifier.entity_id);
  return new Map(
    entities.map(stored => {
      const entity = past ? { ...stored, ...past.entityOf(stored.id) } : stored;
      const own = new Map((claimsOf.get(entity.id) ?? []).map(claim => [claim.property, claim]));
      const row = toPersonRow({ entity, claims: own, identifiers: identifiersOf.get(entity.id) ?? [] });
      const extra = {
        ...(options.include.has('claims') && { claims: presentEpistemics(rules, own, now, { withValues: true }) }),
        ...(options.include.has('epistemics') && {
          epistemics: presentEpistemics(rules, own, now, { withValues: false, fields: options.fields }),
        }),
      };
      return [entity.id, { row, claims: own, extra }];
    }),
  );
}

/** Returns the rows of these people, in the order of `ids`. */
export async function readPersonRows(tx: Tx, ids: readonly string[], options: RowOptions): Promise<Row[]> {
  const records = await readPersonRecords(tx, ids, options);
  return ids.flatMap(id => {
    const view = records.get(id);
    return view ? [presentRow(view.row, view, options)] : [];
  });
}

/** Returns a row with the requested fields. */
export function presentRow(row: Row, { claims, extra }: PersonRecord, { fields }: RowOptions): Row {
  return { ...(fields ? pickFields(row, claims, fields) : row), ...extra };
}

function listProperties({ fields = [] }: RowOptions): string[] {
  return [...new Set([...PERSON_PROPERTIES, ...fields.map(canonicalProperty)])];
}
