import {
  type CompanyInput,
  type Focus,
  type HubContext,
  isPermanentError,
  type PersonInput,
  type RecordRow,
} from '@rapport/plugin-sdk';
import type { DataRow } from '../reading/rows.js';
import { mapConcurrently } from './concurrency.js';
import type { Candidate, Rejection } from './candidate.js';

/** Calls at a time: the hub shares transactions among them. */
const CONCURRENCY = 25;
/** Most rows and focuses that a call of the graph takes. */
const MAX_PER_CALL = 1_000;

/** Where what is written comes from. */
export interface Origin {
  /** ID of the run, for the event `contact.imported`. */
  readonly importId: string;
  /** `csv:<import>`. */
  readonly source: string;
  /** Name of the lead list that people are added to; null for other targets. */
  readonly list: string | null;
}

/** What a step has written. */
export interface Written {
  /** Rows that the hub refused, each once. */
  readonly refused: readonly Rejection[];
  /** ID of the lead list; null if nobody was added to one. */
  readonly listId: string | null;
}

/** Writes what rows state. */
export async function writeCandidates(
  hub: HubContext,
  candidates: readonly Candidate[],
  origin: Origin,
): Promise<Written> {
  const refused = new Map<DataRow, Rejection>();
  const add = (rejections: readonly (Rejection | null)[]) => {
    for (const each of rejections) if (each && !refused.has(each.row)) refused.set(each.row, each);
  };
  const left = () => candidates.filter(({ row }) => !refused.has(row));
  const people = await writePeople(hub, candidates, origin);
  add(people.refused);
  const leads = await addLeads(hub, left(), people.ids, origin);
  add(leads.refused);
  add(await writeObservations(hub, left(), origin));
  add(await mapConcurrently(left(), CONCURRENCY, each => writeNote(hub, each, origin)));
  return { refused: [...refused.values()], listId: leads.listId };
}

async function writePeople(
  hub: HubContext,
  candidates: readonly Candidate[],
  { importId, source }: Origin,
): Promise<{ refused: Rejection[]; ids: ReadonlyMap<Candidate, string> }> {
  const rows = candidates.filter(({ person }) => person !== null);
  const people = rows.map(({ person, observedAt }): PersonInput => ({ ...person, observed_at: observedAt }));
  const results = await inCalls(people, part => hub.graph.people.upsert(part, { importId, source }));
  const ids = new Map<Candidate, string>();
  for (const [index, result] of results.entries()) if ('entity_id' in result) ids.set(rows[index]!, result.entity_id);
  return { refused: results.flatMap((result, index) => toRejection(rows[index]!, result)), ids };
}

/** Adds people to the lead list. */
async function addLeads(
  hub: HubContext,
  candidates: readonly Candidate[],
  ids: ReadonlyMap<Candidate, string>,
  { source, list }: Origin,
): Promise<Written> {
  if (list === null) return { refused: [], listId: null };
  const rows = candidates.filter(candidate => ids.has(candidate));
  const leads = rows.map(row => ({ entity_id: ids.get(row)!, ...(row.leadFields && { fields: row.leadFields }) }));
  const { list_id, results } = await hub.graph.leads.add({ name: list }, leads, { source });
  return { refused: results.flatMap((result, index) => toRejection(rows[index]!, result)), listId: list_id };
}

/** Returns the rows that the hub would refuse, each once, without writing anything. */
export async function findRefusals(hub: HubContext, candidates: readonly Candidate[]): Promise<Rejection[]> {
  const people = candidates.filter(({ person }) => person !== null);
  const companies = candidates.filter(({ person, company }) => person === null && company !== null);
  const rows = people.map(({ person, observedAt }): PersonInput => ({ ...person, observed_at: observedAt }));
  const ofPeople = await inCalls(rows, part => hub.graph.people.upsert(part, { dryRun: true }));
  const identified = companies.map(toCompanyInput);
  const ofCompanies = await inCalls(identified, part => hub.graph.companies.upsert(part, { dryRun: true }));
  return [
    ...ofPeople.flatMap((result, index) => toRejection(people[index]!, result)),
    ...ofCompanies.flatMap((result, index) => toCompanyRejection(companies[index]!, result)),
  ];
}

function toCompanyInput({ company }: Candidate): CompanyInput {
  const { focus } = company!;
  return focus.includes('/') ? { linkedin_url: focus } : { domain: focus };
}

/** Writes companies and events. */
async function writeObservations(
  hub: HubContext,
  candidates: readonly Candidate[],
  { source }: Origin,
): Promise<Rejection[]> {
  const writes = candidates.flatMap(candidate => {
    const { focuses, company, events } = candidate;
    const rows: RecordRow[] = [
      ...(company ? [{ focus: company.focus, observations: company.observations }] : []),
      ...(events.length > 0 ? [{ focus: focuses[0], observations: events }] : []),
    ];
    return rows.map(row => ({
      candidate,
      row: withSource(row, source),
      reject: row.focus === company?.focus ? toCompanyRejection : toRejection,
    }));
  });
  const results = await inCalls(
    writes.map(({ row }) => row),
    part => hub.graph.recordMany(part),
  );
  return results.flatMap((result, index) => writes[index]!.reject(writes[index]!.candidate, result));
}

async function writeNote(
  hub: HubContext,
  { row, focuses: [focus], note }: Candidate,
  { source }: Origin,
): Promise<Rejection | null> {
  if (!note) return null;
  try {
    await hub.graph.note(focus, { ...note, source });
    return null;
  } catch (error) {
    if (!isPermanentError(error)) throw error;
    return { row, field: null, error: error.message };
  }
}

/** Returns for each candidate the ID of the entity that has one of its identifiers; null if there is none. */
export async function findKnown(hub: HubContext, candidates: readonly Candidate[]): Promise<(string | null)[]> {
  const found = await inCalls(
    candidates.flatMap(({ focuses }) => focuses),
    part => hub.graph.findMany(part),
  );
  const next = found.values();
  return candidates.map(({ focuses }) => {
    const first = focuses.map(() => next.next().value).find(entity => entity != null);
    return first && 'entity_id' in first ? first.entity_id : null;
  });
}

/** Returns which of these people are in the lead list already. */
export async function findMembers(
  hub: HubContext,
  list: string,
  entityIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const ids = [...new Set(entityIds)];
  const leads = ids.map(entity_id => ({ entity_id }));
  const { results } = await hub.graph.leads.add({ name: list }, leads, { dryRun: true });
  return new Set(
    ids.filter((_, index) => {
      const result = results[index]!;
      return 'added' in result && !result.added;
    }),
  );
}

/** Passes a list to a call that takes a limited number, in order. */
async function inCalls<Item, Result>(
  items: readonly Item[],
  call: (part: readonly Item[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += MAX_PER_CALL)
    results.push(...(await call(items.slice(from, from + MAX_PER_CALL))));
  return results;
}

function withSource(row: RecordRow, source: string): RecordRow {
  return { ...row, observations: row.observations.map(each => ({ ...each, source })) };
}

function toRejection(
  { row }: Candidate,
  result: object | { readonly error: string; readonly field?: string },
): Rejection[] {
  return 'error' in result ? [{ row, field: result.field ?? null, error: result.error }] : [];
}

/** What the hub refuses about a company without naming a field is what identifies it. */
function toCompanyRejection(
  candidate: Candidate,
  result: object | { readonly error: string; readonly field?: string },
): Rejection[] {
  const identifier = candidate.company?.focus.includes('/') ? 'company_linkedin_url' : 'company_domain';
  const isIdentifier = (field: string | null) => field === null || field === 'domain' || field === 'linkedin_url';
  return toRejection(candidate, result).map(each => (isIdentifier(each.field) ? { ...each, field: identifier } : each));
}

/** Returns a focus as a text that is the same for the same identifier. */
export function toFocusKey(focus: Focus): string {
  if (typeof focus !== 'string') return JSON.stringify(focus);
  const text = focus.toLowerCase();
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
