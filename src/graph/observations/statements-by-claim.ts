import { eventsImplying, impliedBy, toStatements } from '#domain/claims/implied-statements.js';
import type { ObservationDraft, StoredObservation } from '#domain/observation/observation.js';
import type { ClaimKey } from '../claims/claims.queries.js';
import { type NewStatements, NAME_PROPERTIES } from '../claims/claims.service.js';

/** An observation with the canonical id of the cluster that its claims are kept under. */
type ClusterObservation = StoredObservation & { readonly clusterId: string };

/** Sorts what observations state by the claims it is about: their own property, or what an event implies. */
export function groupStatementsByClaim(observations: readonly ClusterObservation[]): NewStatements[] {
  const stated = observations.flatMap(o => toStatements(o).map(statement => ({ entityId: o.clusterId, statement })));
  const byClaim = Map.groupBy(stated, ({ entityId, statement }) => `${entityId} ${statement.property}`);
  return [...byClaim.values()].map(about => {
    const { entityId, statement } = about[0]!;
    return { entityId, property: statement.property, statements: about.map(each => each.statement) };
  });
}

/** What is about to be said of an entity, by its canonical id. */
interface ObservedEntity {
  readonly entityId: string;
  readonly said: readonly ObservationDraft[];
}

/** The claims that this will touch, and those that an entity's name is made of when it touches one of them. */
export function touchedClaimKeys(entities: readonly ObservedEntity[]): ClaimKey[] {
  const keys = new Map<string, ClaimKey>();
  const add = (entityId: string, property: string) => keys.set(`${entityId} ${property}`, { entityId, property });
  for (const { entityId, said } of entities) {
    for (const { property } of said.flatMap(impliedBy)) {
      for (const name of NAME_PROPERTIES.has(property) ? NAME_PROPERTIES : [property]) add(entityId, name);
    }
  }
  return [...keys.values()];
}

/** Under which properties the log holds what states a claim. */
export function logPropertiesFor(property: string): string[] {
  return [property, ...eventsImplying(property)];
}
