import type { ExternalFocus, ObservationInput, RecordRow, StoreChange } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import type { CrmRecord, CrmStage, EntityObject } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import { cut, findAll, toFocus } from './graph-calls.js';
import { type Outcome, writeAll } from './record-state.js';

/** What is remembered of a deal. */
interface DealState {
  /** ID of its stage. */
  readonly stage: string;
  /** Keys of the companies and contacts that it is about, sorted. */
  readonly subjects: readonly string[];
  /** The step that wrote this: when it is repeated, it counts the same. */
  readonly step: string;
}

/** A deal as a company or contact has it. */
interface OwnDeal {
  readonly stage: string;
  readonly type: CrmStage['type'];
  readonly updatedAt: string;
}

/** The deals of a company or contact by ID. */
type OwnDeals = Readonly<Record<string, OwnDeal>>;

/** A page of deals. */
export interface DealPage {
  readonly records: readonly CrmRecord[];
  readonly stages: ReadonlyMap<string, CrmStage>;
  /** Identifies run and step. */
  readonly step: string;
  readonly isDryRun: boolean;
}

/** A deal that has moved, with what was known of it. */
interface MovedDeal {
  readonly record: CrmRecord;
  readonly stage: CrmStage;
  readonly subjects: readonly string[];
  readonly before: DealState | undefined;
}

/** Records the stages of deals at the companies and contacts that they are about. Of several deals the open one counts. */
export async function pullDeals(hub: Hub, page: DealPage): Promise<Outcome[]> {
  const { records, stages, step } = page;
  const states = await hub.store.getMany<never>(records.map(({ id }) => dealKey(id)));
  const moved: MovedDeal[] = [];
  const outcomes = records.map((record): Outcome => {
    const before = states.get(dealKey(record.id)) as DealState | undefined;
    if (before?.step === step) return 'updated';
    const stage = stages.get(record.values[adapterOf(hub).stageField] ?? '');
    const subjects = record.links.map(subjectKey).toSorted();
    if (!stage || (subjects.length === 0 && !before)) return 'skipped';
    if (before?.stage === stage.id && before.subjects.join() === subjects.join()) return 'unchanged';
    moved.push({ record, stage, subjects, before });
    return 'updated';
  });
  if (!page.isDryRun && moved.length > 0) await writeDeals(hub, moved, step);
  return outcomes;
}

function dealKey(id: string): string {
  return `record:deals:${id}`;
}

function subjectKey({ object, id }: CrmRecord['links'][number]): string {
  return `deals:${object}:${id}`;
}

async function writeDeals(hub: Hub, moved: readonly MovedDeal[], step: string): Promise<void> {
  const keys = [...new Set(moved.flatMap(({ subjects, before }) => [...subjects, ...(before?.subjects ?? [])]))];
  const deals = new Map<string, OwnDeals>(keys.map(key => [key, {}]));
  for (const part of cut(keys)) for (const [key, own] of await hub.store.getMany<never>(part)) deals.set(key, own);
  const movedAt = new Map<string, string>();
  for (const { record, stage, subjects, before } of moved) {
    for (const key of [...subjects, ...(before?.subjects ?? [])])
      if (record.updatedAt > (movedAt.get(key) ?? '')) movedAt.set(key, record.updatedAt);
    for (const key of before?.subjects ?? []) {
      const { [record.id]: _, ...others } = deals.get(key)!;
      deals.set(key, others);
    }
    const deal = { stage: stage.label, type: stage.type, updatedAt: record.updatedAt };
    for (const key of subjects) deals.set(key, { ...deals.get(key), [record.id]: deal });
  }
  for (const part of cut(await keepKnown(hub, keys)))
    await hub.graph.recordMany(part.map(key => toRow(hub, key, deals.get(key)!, movedAt.get(key)!)));
  const kept = [...deals].map(([key, value]): StoreChange => ({ key, value: value as never }));
  const states = moved.map(({ record, stage, subjects }): StoreChange => {
    const state: DealState = { stage: stage.id, subjects, step };
    return { key: dealKey(record.id), value: state as never };
  });
  await writeAll(hub, [...kept, ...states]);
}

/** A deal can be about records that the settings leave out; it does not add them. */
async function keepKnown(hub: Hub, keys: readonly string[]): Promise<string[]> {
  const found = await findAll(
    hub,
    keys.map(key => toSubject(hub, key)),
  );
  return keys.filter((_, index) => found[index] !== null);
}

function toSubject(hub: Hub, key: string): ExternalFocus {
  const [, object, id] = key.split(':') as [string, EntityObject, string];
  return toFocus(hub, object, id);
}

/**
 * States the stage of the deal that counts: the open one that was changed last, or else the last one that was closed. If no
 * deal is left, the stage has ended.
 * @param movedAt when a deal was changed, which can have made another one count
 */
function toRow(hub: Hub, key: string, deals: OwnDeals, movedAt: string): RecordRow {
  const { provider } = adapterOf(hub);
  const [first] = Object.entries(deals).toSorted(
    ([, a], [, b]) =>
      Number(b.type === 'open') - Number(a.type === 'open') || Date.parse(b.updatedAt) - Date.parse(a.updatedAt),
  );
  const at = Math.min(Date.parse(movedAt), hub.clock.now().getTime());
  const state = (property: string, value: string | null): ObservationInput => ({
    kind: 'state',
    property,
    value,
    observed_at: new Date(at).toISOString(),
    source: `crm:${provider}`,
    external_id: `${provider}:${key}:${first?.[0] ?? 'none'}:${movedAt}:${property}`,
  });
  return {
    focus: toSubject(hub, key),
    observations: [state('stage', first?.[1].stage ?? null), state('stage_type', first?.[1].type ?? null)],
  };
}
