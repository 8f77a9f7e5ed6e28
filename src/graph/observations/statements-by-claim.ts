import { eventsImplying, impliedBy, toStatements } from '#domain/claims/implied-statements.js';
import type { ObservationDraft, StoredObservation } from '#domain/observation/observation.js';
import type { ClaimKey } from '../claims/claims.queries.js';
import { type NewStatements, NAME_PROPERTIES } from '../claims/claims.service.js';

/** An observation with the canonical id of its cluster. */
type ClusterObservation = StoredObservation & { readonly clusterId: string };

/** Groups the statements of observations by claim: the observation's own property, or those that an event implies. */
export function groupStatementsByClaim(observations: readonly ClusterObservation[]): NewStatements[] {
  const stated = observations.flatMap(o => toStatements(o).map(statement => ({ entityId: o.clusterId, statement })));
  const byClaim = Map.groupBy(stated, ({ entityId, statement }) => `${entityId} ${statement.property}`);
  return [...byClaim.values()].map(own => {
    const { entityId, statement } = own[0]!;
    return { entityId, property: statement.property, statements: own.map(each => each.statement) };
  });
}

/** Observations about to be recorded for an entity, given by canonical id. */
interface ObservedEntity {
  readonly entityId: string;
  readonly observations: readonly ObservationDraft[];
}

/** Returns the claims that these observations change. If one is part of the entity's name, adds the other parts. */
export function touchedClaimKeys(entities: readonly ObservedEntity[]): ClaimKey[] {
  const keys = new Map<string, ClaimKey>();
  const add = (entityId: string, property: string) => keys.set(`${entityId} ${property}`, { entityId, property });
  for (const { entityId, observations } of entities) {
    for (const { property } of observations.flatMap(impliedBy)) {
      for (const name of NAME_PROPERTIES.has(property) ? NAME_PROPERTIES : [property]) add(entityId, name);
    }
  }
  return [...keys.values()];
}

/** Returns the log properties that state a claim: its own and the events that imply it. */
export function logPropertiesFor(property: string): string[] {
  return [property, ...eventsImplying(property)];
}
