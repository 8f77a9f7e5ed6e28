import type { EntityObject } from '../adapters/adapter.js';
import type { FieldMapping } from '../mapping/mapping.js';
import type { References } from '../mapping/values.js';
import type { Hub } from '../plugin.js';
import { cut } from '../sync/graph-calls.js';
import type { PulledRecord } from '../sync/pull-entities.js';
import { comparePairs, type Pair } from './compare.js';
import { addMarks } from './marks.js';

/** A page of records that was read, and how their fields are compared. */
export interface PulledPage {
  readonly object: EntityObject;
  readonly pulled: readonly PulledRecord[];
  readonly mappings: readonly FieldMapping[];
  readonly references: References;
}

/**
 * Notes the entities of records that were read and lack what the graph knows: a change in the CRM that did not prevail
 * appears in no list of changes by others.
 */
export async function markPulled(hub: Hub, { object, pulled, mappings, references }: PulledPage): Promise<void> {
  const pushed = mappings.filter(({ isPushed }) => isPushed);
  const stated = pulled.filter(({ entityId }) => entityId !== null);
  if (pushed.length === 0 || stated.length === 0) return;
  const properties = [...new Set(pushed.map(({ property }) => property))];
  for (const part of cut(stated)) {
    const entities = await hub.graph.readMany(
      part.map(({ entityId }) => entityId!),
      properties,
    );
    const pairs = part.flatMap(({ record }, index): Pair[] => {
      const entity = entities[index];
      return entity ? [{ object, entity, record, lastRead: record.values }] : [];
    });
    const decided = await comparePairs(hub, pairs, { mappings: pushed, references });
    const lacking = pairs.filter((_, index) => decided[index]!.some(({ action }) => action !== 'keep'));
    await addMarks(
      hub,
      lacking.map(({ entity }) => entity.entity_id),
    );
  }
}
