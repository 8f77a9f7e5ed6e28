import { type Focus, type HubContext, isPermanentError, type PersonInput } from '@rapport/plugin-sdk';
import { mapConcurrently } from './concurrency.js';
import type { Candidate, Rejection } from './candidate.js';

/** Calls at a time: the hub shares transactions among them. */
const CONCURRENCY = 25;

/** Where what is written comes from. */
export interface Origin {
  /** ID of the run, for the event `contact.imported`. */
  readonly importId: string;
  /** `csv:<import>`. */
  readonly source: string;
}

/** Writes what rows state. @returns the rows that the hub refused */
export async function writeCandidates(
  hub: HubContext,
  candidates: readonly Candidate[],
  origin: Origin,
): Promise<Rejection[]> {
  const refused = await writePeople(hub, candidates, origin);
  const isRefused = new Set(refused.map(({ row }) => row));
  const others = candidates.filter(({ row }) => !isRefused.has(row));
  const failed = await mapConcurrently(others, CONCURRENCY, each => writeRest(hub, each, origin));
  return [...refused, ...failed.filter(each => each !== null)];
}

/** One call takes one time, so rows are grouped by theirs. */
async function writePeople(
  hub: HubContext,
  candidates: readonly Candidate[],
  { importId, source }: Origin,
): Promise<Rejection[]> {
  const groups = Map.groupBy(
    candidates.filter(({ person }) => person !== null),
    ({ observedAt }) => observedAt,
  );
  const refused: Rejection[] = [];
  for (const [observedAt, group] of groups) {
    const people = group.map(({ person }): PersonInput => person!);
    const results = await hub.graph.people.upsert(people, { importId, source, observedAt });
    results.forEach((result, index) => {
      if ('error' in result) {
        refused.push({ row: group[index]!.row, field: result.field ?? null, error: result.error });
      }
    });
  }
  return refused;
}

async function writeRest(
  hub: HubContext,
  { row, focuses: [focus], company, events, note }: Candidate,
  { source }: Origin,
): Promise<Rejection | null> {
  try {
    if (company)
      await hub.graph.record(
        company.focus,
        company.observations.map(each => ({ ...each, source })),
      );
    if (events.length > 0)
      await hub.graph.record(
        focus,
        events.map(each => ({ ...each, source })),
      );
    if (note) await hub.graph.note(focus, { ...note, source });
    return null;
  } catch (error) {
    if (!isPermanentError(error)) throw error;
    return { row, field: null, error: error.message };
  }
}

/** Returns for each candidate whether the graph knows one of its identifiers. */
export function findKnown(hub: HubContext, candidates: readonly Candidate[]): Promise<boolean[]> {
  return mapConcurrently(candidates, CONCURRENCY, async ({ focuses }) => {
    for (const focus of focuses) if (await hub.graph.find(focus)) return true;
    return false;
  });
}

/** Returns a focus as a text that is the same for the same identifier. */
export function toFocusKey(focus: Focus): string {
  if (typeof focus !== 'string') return JSON.stringify(focus);
  const text = focus.toLowerCase();
  return text.endsWith('/') ? text.slice(0, -1) : text;
}
