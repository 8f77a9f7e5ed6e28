import { eventsStating, statedBy, statementsOf } from '#domain/claims/from-events.js';
import type { ObservationInput, StoredObservation } from '#domain/observation/observation.js';
import type { ClaimKey } from '../claims/claims.queries.js';
import { type Addition, NAMING } from '../claims/claims.service.js';

/** An observation with the canonical id of the cluster that its claims are kept under. */
type AboutCluster = StoredObservation & { readonly clusterId: string };

/** Sorts what observations state by the claims it is about: their own property, or what an event implies. */
export function additionsOf(observations: readonly AboutCluster[]): Addition[] {
  const stated = observations.flatMap(o => statementsOf(o).map(statement => ({ entityId: o.clusterId, statement })));
  const byClaim = Map.groupBy(stated, ({ entityId, statement }) => `${entityId} ${statement.property}`);
  return [...byClaim.values()].map(about => {
    const { entityId, statement } = about[0]!;
    return { entityId, property: statement.property, statements: about.map(each => each.statement) };
  });
}

/** What is about to be said of an entity, by its canonical id. */
interface Saying {
  readonly entityId: string;
  readonly said: readonly ObservationInput[];
}

/** The claims that this will touch, and those that an entity's name is made of when it touches one of them. */
export function claimKeysOf(sayings: readonly Saying[]): ClaimKey[] {
  const keys = new Map<string, ClaimKey>();
  const add = (entityId: string, property: string) => keys.set(`${entityId} ${property}`, { entityId, property });
  for (const { entityId, said } of sayings) {
    for (const { property } of said.flatMap(statedBy)) {
      for (const name of NAMING.has(property) ? NAMING : [property]) add(entityId, name);
    }
  }
  return [...keys.values()];
}

/** Under which properties the log holds what states a claim. */
export function logPropertiesOf(property: string): string[] {
  return [property, ...eventsStating(property)];
}
