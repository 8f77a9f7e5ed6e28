import { type Focus, type HubContext, isPermanentError, type PersonInput, type RecordRow } from '@rapport/plugin-sdk';
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
}

/** Writes what rows state. @returns the rows that the hub refused, each once */
export async function writeCandidates(
  hub: HubContext,
  candidates: readonly Candidate[],
  origin: Origin,
): Promise<Rejection[]> {
  const refused = new Map<DataRow, Rejection>();
  const add = (rejections: readonly (Rejection | null)[]) => {
    for (const each of rejections) if (each && !refused.has(each.row)) refused.set(each.row, each);
  };
  const left = () => candidates.filter(({ row }) => !refused.has(row));
  add(await writePeople(hub, candidates, origin));
  add(await writeObservations(hub, left(), origin));
  add(await mapConcurrently(left(), CONCURRENCY, each => writeNote(hub, each, origin)));
  return [...refused.values()];
}

async function writePeople(
  hub: HubContext,
  candidates: readonly Candidate[],
  { importId, source }: Origin,
): Promise<Rejection[]> {
  const rows = candidates.filter(({ person }) => person !== null);
  const people = rows.map(({ person, observedAt }): PersonInput => ({ ...person, observed_at: observedAt }));
  const results = await inCalls(people, part => hub.graph.people.upsert(part, { importId, source }));
  return results.flatMap((result, index) => toRejection(rows[index]!, result));
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
    return rows.map(row => ({ candidate, row: withSource(row, source) }));
  });
  const results = await inCalls(
    writes.map(({ row }) => row),
    part => hub.graph.recordMany(part),
  );
  return results.flatMap((result, index) => toRejection(writes[index]!.candidate, result));
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

/** Returns for each candidate whether the graph knows one of its identifiers. */
export async function findKnown(hub: HubContext, candidates: readonly Candidate[]): Promise<boolean[]> {
  const found = await inCalls(
    candidates.flatMap(({ focuses }) => focuses),
    part => hub.graph.findMany(part),
  );
  const next = found.values();
  return candidates.map(({ focuses }) => focuses.map(() => next.next().value).some(Boolean));
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

/** Returns a focus as a text that is the same for the same identifier. */
export function toFocusKey(focus: Focus): string {
  if (typeof focus !== 'string') return JSON.stringify(focus);
  const text = focus.toLowerCase();
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
