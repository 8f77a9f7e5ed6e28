import type { ClaimSummary, CurrentClaim, EntityWithClaims } from '../ports/entities.js';
import { PermanentError } from '../errors.js';
import { CLAIM_QUALITY } from './test-changes.js';
import {
  listTestExternalIds,
  readFocus,
  type TestEntities,
  type TestEntity,
  type TestObservation,
} from './test-entities.js';

/**
 * Returns an entity of the test graph with its claims about some properties, null for an unknown ID. A claim is the newest
 * statement.
 */
export function readTestEntity(
  entities: TestEntities,
  observations: readonly TestObservation[],
  id: string,
  properties: readonly string[],
): EntityWithClaims | null {
  if (readFocus(id).form !== 'id') throw new PermanentError('readMany takes IDs; use findMany for other identifiers.');
  const [entity] = entities.find(id);
  if (!entity) return null;
  const keys = [...entity.keys];
  const stated = listStates(entity, observations).filter(({ property }) => properties.includes(property));
  return {
    entity_id: entity.id,
    type: entity.type,
    name: entity.name,
    emails: keys.filter(key => readFocus(key).form === 'email'),
    domains: keys.filter(key => readFocus(key).form === 'domain'),
    external_ids: listTestExternalIds(entity),
    claims: Object.fromEntries(stated.map(each => [each.property, toCurrentClaim(each)])),
  };
}

/** Returns the current claims of an entity of the test graph by property; facts that have ended are left out. */
export function readTestClaims(
  entity: TestEntity,
  observations: readonly TestObservation[],
): Readonly<Record<string, ClaimSummary>> {
  const newest = new Map(listStates(entity, observations).map(({ property, value }) => [property, value]));
  const current = [...newest].filter(([, value]) => value !== null);
  return Object.fromEntries(current.map(([property, value]) => [property, { value, ...CLAIM_QUALITY }]));
}

/** The statements about an entity, the oldest first. */
function listStates({ id }: TestEntity, observations: readonly TestObservation[]): TestObservation[] {
  const states = observations.filter(({ entity_id, kind }) => entity_id === id && kind === 'state');
  return states.toSorted((a, b) => a.observed_at.localeCompare(b.observed_at));
}

function toCurrentClaim({ value, source, observed_at }: TestObservation): CurrentClaim {
  return { value, ...CLAIM_QUALITY, source, sources: [source], observed_at, safe_to_use: value !== null };
}
