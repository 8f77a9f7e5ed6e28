import type { EntityWithClaims, HubContext, Json } from '@rapport/plugin-sdk';
import type { Candidate } from './candidate.js';
import { mapConcurrently } from './concurrency.js';

/** Calls at a time. */
const CONCURRENCY = 25;
/** Most properties that a call of the graph reads. */
const MAX_PROPERTIES = 100;
/** What identifies a person rather than being said of them. */
const IDENTIFIERS: ReadonlySet<string> = new Set(['email', 'emails', 'linkedin_url']);
/** Parts of a name, which is compared as a whole. */
const NAME_PARTS: ReadonlySet<string> = new Set(['first_name', 'last_name']);

/** A value of a row that the graph does not have. */
export interface RowChange {
  readonly property: string;
  /** What the graph has; null if it has nothing. */
  readonly known: Json;
  readonly given: Json;
}

/**
 * Compares rows with what the graph knows of their people or companies, value by value, as claims are compared.
 * @param ids for each candidate the entity that it is about; null if there is none
 * @returns for each candidate what the graph has otherwise, or lacks; null for one without an entity
 */
export async function compareRows(
  hub: HubContext,
  candidates: readonly Candidate[],
  ids: readonly (string | null)[],
): Promise<(RowChange[] | null)[]> {
  const stated = candidates.map(listFacts);
  const names = [...new Set(stated.flatMap(facts => facts.map(([name]) => name)))];
  const canonical = new Map(
    await Promise.all(names.map(async name => [name, await hub.graph.canonicalProperty(name)] as const)),
  );
  const entities = await readEntities(hub, ids, [...new Set(canonical.values())]);
  return mapConcurrently(candidates, CONCURRENCY, async (candidate, index) => {
    const entity = entities.get(ids[index] ?? '');
    if (!entity) return null;
    const changes: RowChange[] = [];
    for (const [name, given] of stated[index]!) {
      const property = canonical.get(name)!;
      if (NAME_PARTS.has(property) && entity.name !== null) continue;
      const known = readKnown(entity, property);
      if (await isKnown(hub, property, known, given)) continue;
      // A list takes another value without losing one.
      changes.push({ property, known: Array.isArray(known) ? null : known, given });
    }
    const emails = new Set(entity.emails.map(email => email.toLowerCase()));
    const address = listAddresses(candidate).find(email => !emails.has(email.toLowerCase()));
    if (address !== undefined && entity.type === 'person')
      changes.push({ property: 'email', known: null, given: address });
    return changes;
  });
}

/** Returns what the graph has of a property. What was only inferred, as a company from an address, contradicts nothing. */
function readKnown({ name, claims }: EntityWithClaims, property: string): Json {
  const claim = claims[property];
  if (!claim) return property === 'name' ? name : null;
  return claim.epistemic_class === 'inferred' ? null : claim.value;
}

/** Returns whether the graph has the value, or one that says the same. */
async function isKnown(hub: HubContext, property: string, known: Json, given: Json): Promise<boolean> {
  if (JSON.stringify(known) === JSON.stringify(given)) return true;
  if (known === null) return false;
  const all = Array.isArray(known) ? known : [known];
  for (const each of Array.isArray(given) ? given : [given]) {
    const agreed = await Promise.all(all.map(other => hub.graph.valuesAgree(property, other, each)));
    if (!agreed.includes(true)) return false;
  }
  return true;
}

function listAddresses({ person }: Candidate): string[] {
  return [...(person?.email === undefined ? [] : [person.email]), ...(person?.emails ?? [])];
}

/** Returns what a row says of its person, or of its company where the rows are companies. */
function listFacts({ person, company }: Candidate): (readonly [name: string, value: Json])[] {
  if (person === null)
    return (company?.observations ?? []).map(({ property, value = null }) => [property, value] as const);
  return Object.entries(person).flatMap(([name, value]) =>
    value === undefined || IDENTIFIERS.has(name) || name.endsWith('_id') ? [] : [[name, value] as const],
  );
}

async function readEntities(
  hub: HubContext,
  ids: readonly (string | null)[],
  properties: readonly string[],
): Promise<Map<string, EntityWithClaims>> {
  const known = [...new Set(ids.filter(id => id !== null))];
  const entities = new Map<string, EntityWithClaims>();
  for (let from = 0; known.length > 0 && from < Math.max(properties.length, 1); from += MAX_PROPERTIES) {
    const read = await hub.graph.readMany(known, properties.slice(from, from + MAX_PROPERTIES));
    for (const [index, entity] of read.entries()) {
      if (!entity) continue;
      const before = entities.get(known[index]!);
      entities.set(known[index]!, { ...entity, claims: { ...before?.claims, ...entity.claims } });
    }
  }
  return entities;
}
