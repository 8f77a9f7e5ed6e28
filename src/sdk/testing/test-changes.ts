import type { Change, ChangesOptions, ChangesPage } from '../ports/changes.js';
import { PermanentError } from '../errors.js';
import type { RetractOptions, RetractResult } from '../ports/retractions.js';
import {
  listTestExternalIds,
  type TestEntities,
  type TestEntity,
  type TestNote,
  type TestObservation,
} from './test-entities.js';
import type { TestLeads } from './test-leads.js';

const MAX_CHANGES = 1000;
/** Only the hub computes real confidence. */
export const CLAIM_QUALITY = { confidence: 0.9, freshness: 'fresh', epistemic_class: 'observed' } as const;

/** Lists claims and events in the order in which they were appended; a cursor is the number of observations before it. */
export function listTestChanges(
  observations: readonly TestObservation[],
  findEntity: (id: string) => TestEntity | undefined,
  options: ChangesOptions = {},
): ChangesPage {
  const { after = '0', limit = 100, kinds, types, properties, notFrom = [] } = options;
  const start = after === 'latest' ? observations.length : Number(after);
  if (!Number.isInteger(start) || start < 0) throw new PermanentError('after is no "next" of a page before.');
  if (!Number.isInteger(limit) || limit < 1) throw new PermanentError('limit is at least 1.');
  const isListed = ({ kind, property, source, entity_id }: TestObservation) =>
    (kinds?.includes(kind === 'state' ? 'claim' : 'event') ?? true) &&
    (properties?.includes(property) ?? true) &&
    (types?.includes(findEntity(entity_id)!.type) ?? true) &&
    !isFrom(notFrom, source);
  const numbered = observations.map((observation, index) => ({ observation, index })).slice(start);
  const listed = numbered.filter(({ observation }) => isListed(observation));
  const rows = listed.slice(0, Math.min(limit, MAX_CHANGES));
  const has_more = listed.length > rows.length;
  const changes = new Map<string, Change>();
  for (const { observation } of rows) {
    const { id, kind, entity_id, property } = observation;
    const about = describeEntity(findEntity(entity_id)!, observation);
    const newest = kind === 'state' ? findNewest(observations, observation) : observation;
    const { value, source, method, observed_at } = newest;
    const fact = { ...about, property, value, source, method, observed_at };
    if (kind === 'event') {
      changes.set(id, { kind, ...fact, observation_id: id, external_id: observation.external_id ?? null });
    } else if (!isFrom(notFrom, source)) {
      changes.set(`${entity_id} ${property}`, { kind: 'claim', ...fact, ...CLAIM_QUALITY });
    }
  }
  const next = String(has_more ? rows.at(-1)!.index + 1 : observations.length);
  return { changes: [...changes.values()], next, has_more };
}

/** What a retraction changes. */
interface RetractableGraph {
  readonly entities: TestEntities;
  readonly observations: TestObservation[];
  readonly notes: TestNote[];
  readonly leads: TestLeads;
}

/** Withdraws what a source stated, at most `limit` observations at a time, and removes who is not known any more. */
export function retractTestStatements(
  { entities, observations, notes, leads }: RetractableGraph,
  source: string,
  { limit = MAX_CHANGES, dryRun = false }: RetractOptions = {},
): RetractResult {
  if (source.startsWith('system:')) throw new PermanentError('source must not be one of the hub itself.');
  const own = observations.filter(each => each.source === source);
  const page = new Set(own.slice(0, limit));
  const left = new Set(observations.filter(each => !page.has(each)).map(each => each.entity_id));
  const gone = new Set([...page].map(each => each.entity_id).filter(id => !left.has(id)));
  const ownNotes = notes.filter(each => each.source === source);
  const next = own.length > page.size ? 'more' : null;
  const counts = {
    observations: page.size,
    notes: ownNotes.length,
    leads: leads.countSource(source),
    entities_removed: gone.size,
  };
  if (dryRun) return { ...counts, next: null };
  observations.splice(0, observations.length, ...observations.filter(each => !page.has(each)));
  notes.splice(0, notes.length, ...notes.filter(each => each.source !== source));
  entities.remove(gone);
  leads.removeSource(source);
  return { ...counts, next };
}

function isFrom(sources: readonly string[], source: string): boolean {
  return sources.includes(source) || sources.includes(source.split(':', 1)[0]!);
}

function describeEntity(entity: TestEntity, { recorded_at }: TestObservation) {
  return { entity_id: entity.id, type: entity.type, external_ids: listTestExternalIds(entity), at: recorded_at };
}

function findNewest(observations: readonly TestObservation[], { entity_id, property }: TestObservation) {
  const own = observations.filter(each => each.entity_id === entity_id && each.property === property);
  return own.toSorted((a, b) => a.observed_at.localeCompare(b.observed_at)).at(-1)!;
}
