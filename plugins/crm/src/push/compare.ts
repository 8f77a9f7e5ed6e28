import type { EntityWithClaims } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import type { CrmRecord, EntityObject } from '../adapters/adapter.js';
import type { FieldMapping } from '../mapping/mapping.js';
import { convertValue, type References, toCrmValue } from '../mapping/values.js';
import type { Hub } from '../plugin.js';
import { type Decision, decide } from './decide.js';
import { readVerdicts } from './reviews.js';

/** A record and the entity that it is about. */
export interface Pair {
  readonly object: EntityObject;
  readonly entity: EntityWithClaims;
  /** As the CRM has it now. */
  readonly record: Pick<CrmRecord, 'id' | 'updatedAt' | 'values'>;
  /** Values as they were read last; null if no sync has read the record. */
  readonly lastRead: Readonly<Record<string, string | null>> | null;
}

/** What to do with a field of a record. */
export interface FieldDecision extends Decision {
  readonly field: string;
  readonly property: string;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** How fields are compared. */
export interface Comparison {
  readonly mappings: readonly FieldMapping[];
  readonly references: References;
}

/** Compares the fields of records with the claims about their entities, and decides about each. In order of the pairs. */
export async function comparePairs(
  hub: Hub,
  pairs: readonly Pair[],
  { mappings, references }: Comparison,
): Promise<FieldDecision[][]> {
  const pushed = mappings.filter(({ isPushed }) => isPushed);
  const reviewed = pushed.filter(({ wins }) => wins === 'review');
  const addresses = pairs.flatMap(({ object, record: { id } }) => reviewed.map(({ field }) => ({ object, id, field })));
  const findVerdict = await readVerdicts(hub, addresses);
  const source = `crm:${adapterOf(hub).provider}`;
  const decided: FieldDecision[][] = [];
  for (const { object, entity, record, lastRead } of pairs) {
    const own: FieldDecision[] = [];
    for (const mapping of pushed) {
      const { field, property, isPulled, wins } = mapping;
      const claim = entity.claims[property];
      const theirs = record.values[field] ?? null;
      const ours = claim && claim.value !== null ? toCrmValue(mapping, claim.value, references) : null;
      const isOther = claim !== undefined && theirs !== null && ours !== theirs;
      const agrees =
        isOther && (await hub.graph.valuesAgree(property, claim.value, convertValue(mapping, theirs, references)));
      const decision = decide({
        claim,
        ours,
        theirs,
        agrees,
        lastRead: isPulled ? (lastRead?.[field] ?? null) : undefined,
        updatedAt: record.updatedAt,
        wins,
        minConfidence: hub.settings.min_confidence,
        source,
        verdict: findVerdict({ object, id: record.id, field }, ours, theirs),
      });
      own.push({ ...decision, field, property, ours, theirs });
    }
    decided.push(own);
  }
  return decided;
}

/**
 * Returns the values to write to a record, by field: those that were decided, and confidence and freshness of their claims
 * where fields are set aside for them.
 */
export function toWrittenValues(
  decisions: readonly FieldDecision[],
  mappings: readonly FieldMapping[],
  { claims }: EntityWithClaims,
): Record<string, string> {
  const values: Record<string, string> = {};
  for (const { action, field, property, ours } of decisions) {
    if (action !== 'write') continue;
    values[field] = ours!;
    const claim = claims[property]!;
    const { confidenceField, freshnessField } = mappings.find(mapping => mapping.property === property)!;
    if (confidenceField !== null) values[confidenceField] = claim.confidence.toFixed(2);
    if (freshnessField !== null) values[freshnessField] = claim.freshness;
  }
  return values;
}
