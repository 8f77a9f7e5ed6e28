import type { ObservationInput, RecordRow, StoreChange } from '@rapport/plugin-sdk';
import { adapterOf } from '../adapters/adapters.js';
import type { CrmRecord, CrmStage, EntityObject } from '../adapters/adapter.js';
import type { Hub } from '../plugin.js';
import { type Outcome, readStates, type RecordState, toStoreChanges, writeAll } from './record-state.js';

const ENTITY_TYPES = { companies: 'company', contacts: 'person' } as const;

/** A deal of a company or contact. */
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
  readonly step: string;
  readonly isDryRun: boolean;
}

/** Records the stages of deals at the companies and contacts that they are about. Of several deals the open one counts. */
export async function pullDeals(hub: Hub, page: DealPage): Promise<Outcome[]> {
  const states = await readStates(
    hub,
    'deals',
    page.records.map(({ id }) => id),
  );
  const outcomes: Outcome[] = [];
  const pending: CrmRecord[] = [];
  for (const record of page.records) {
    const state = states.get(record.id) as RecordState | undefined;
    if (state?.step === page.step) outcomes.push(state.outcome);
    else if (!findStage(hub, page, record) || record.links.length === 0) outcomes.push('skipped');
    else if (state && isSame(hub, state, record)) outcomes.push('unchanged');
    else pending.push(record);
  }
  outcomes.push(...pending.map((): Outcome => 'updated'));
  if (!page.isDryRun && pending.length > 0) await writeDeals(hub, page, pending);
  return outcomes;
}

function findStage(hub: Hub, { stages }: DealPage, { values }: CrmRecord): CrmStage | undefined {
  return stages.get(values[adapterOf(hub).dealFields.stage] ?? '');
}

function isSame(hub: Hub, state: RecordState, { values, links }: CrmRecord): boolean {
  const { stage } = adapterOf(hub).dealFields;
  return state.values[stage] === values[stage] && state.mergedIds.join() === toLinkTexts(links).join();
}

function toLinkTexts(links: CrmRecord['links']): string[] {
  return links.map(linkKey).toSorted();
}

function linkKey({ object, id }: CrmRecord['links'][number]): string {
  return `deals:${object}:${id}`;
}

async function writeDeals(hub: Hub, page: DealPage, records: readonly CrmRecord[]): Promise<void> {
  const keys = [...new Set(records.flatMap(({ links }) => links.map(linkKey)))];
  const before = await hub.store.getMany<never>(keys);
  const deals = new Map<string, OwnDeals>(keys.map(key => [key, before.get(key) ?? {}]));
  for (const record of records) {
    const { label, type } = findStage(hub, page, record)!;
    const deal = { stage: label, type, updatedAt: record.updatedAt };
    for (const link of record.links) deals.set(linkKey(link), { ...deals.get(linkKey(link)), [record.id]: deal });
  }
  const known = await keepKnown(hub, keys);
  await hub.graph.recordMany(known.map(key => toRow(hub, key, deals.get(key)!)));
  const kept = [...deals].map(([key, value]): StoreChange => ({ key, value: value as never }));
  await writeAll(hub, [
    ...kept,
    ...records.flatMap(record => toStoreChanges('deals', record.id, toState(hub, page, record))),
  ]);
}

/** A deal can be about records that the settings leave out; it does not add them. */
async function keepKnown(hub: Hub, keys: readonly string[]): Promise<string[]> {
  const found: unknown[] = [];
  for (let from = 0; from < keys.length; from += 1_000)
    found.push(...(await hub.graph.findMany(keys.slice(from, from + 1_000).map(key => toFocus(hub, key)))));
  return keys.filter((_, index) => found[index] !== null);
}

function toFocus(hub: Hub, key: string) {
  const [, object, id] = key.split(':') as [string, EntityObject, string];
  return { external: { system: adapterOf(hub).provider, id, type: ENTITY_TYPES[object] } };
}

/** States the stage of the deal that counts: the open one that was changed last, or else the last one that was closed. */
function toRow(hub: Hub, key: string, deals: OwnDeals): RecordRow {
  const { provider } = adapterOf(hub);
  const [[id, deal]] = Object.entries(deals).toSorted(
    ([, a], [, b]) =>
      Number(b.type === 'open') - Number(a.type === 'open') || Date.parse(b.updatedAt) - Date.parse(a.updatedAt),
  ) as [[string, OwnDeal]];
  const observed_at = new Date(Math.min(Date.parse(deal.updatedAt), hub.clock.now().getTime())).toISOString();
  const state = (property: string, value: string): ObservationInput => {
    const external_id = `${provider}:deal:${id}:${property}:${deal.updatedAt}`;
    return { kind: 'state', property, value, observed_at, source: `crm:${provider}`, external_id };
  };
  return { focus: toFocus(hub, key), observations: [state('stage', deal.stage), state('stage_type', deal.type)] };
}

function toState(hub: Hub, { step }: DealPage, { updatedAt, values, links, name }: CrmRecord): RecordState {
  const syncedAt = hub.clock.now().toISOString();
  const mergedIds = toLinkTexts(links);
  return {
    entityId: null,
    updatedAt,
    values,
    name,
    emails: [],
    mergedIds,
    syncedAt,
    error: null,
    step,
    outcome: 'updated',
  };
}
