import type { HubContext, Json, StoreChange } from '@rapport/plugin-sdk';
import type { Candidate, Rejection } from './candidate.js';
import { compareRows, type RowChange } from './compare.js';
import { toFocusKey } from './write-candidates.js';

/** What a row would do. */
export const OUTCOMES = ['created', 'adding', 'unchanged', 'contradicting', 'repeated', 'rejected'] as const;

/**
 * What a row would do: create somebody; state something that the graph lacks, nothing new, or something else than the
 * graph has; be about somebody of an earlier row; or be rejected.
 */
export type Outcome = (typeof OUTCOMES)[number];

/** Numbers of rows by what they would do. */
export type OutcomeCounts = Readonly<Record<Outcome, number>>;

/** A row of a dry run, as it is listed. */
export interface ForeseenRow {
  readonly line: number;
  /** Name of the person or company; null if the row has none. */
  readonly name: string | null;
  /** What identifies it; null for a row that is rejected. */
  readonly focus: string | null;
  readonly changes: readonly { readonly property: string; readonly known: string | null; readonly given: string }[];
  readonly field: string | null;
  /** Why it is rejected; null if it is not. */
  readonly error: string | null;
}

/** A reason for which rows are rejected. */
export interface RejectionReason {
  readonly field: string | null;
  readonly error: string;
  readonly rows: number;
  /** Line of the first one. */
  readonly line: number;
}

/** Most rows of an outcome that can be listed. */
const MAX_LISTED = 1_000;
const MAX_REASONS = 20;
const MAX_CHANGES = 10;
const MAX_TEXT_LENGTH = 200;
const LISTED_TTL_MS = 7 * 86_400_000;
const LINE_DIGITS = 10;

/** Counts before the first row. */
export const NO_OUTCOMES: OutcomeCounts = {
  created: 0,
  adding: 0,
  unchanged: 0,
  contradicting: 0,
  repeated: 0,
  rejected: 0,
};

/** What the rows of a step would do, before the hub was asked whether it takes them. */
export interface StepProspect {
  /** For each row the entity that the graph has; null if it has none. */
  readonly ids: readonly (string | null)[];
  /** Positions of rows that create somebody. */
  readonly created: readonly number[];
  /** Positions of rows about somebody of an earlier row. */
  readonly repeated: readonly number[];
}

/**
 * Counts the rows of a step by what they would do, and keeps them for {@link listForeseenRows}.
 * @param before counts of the steps before
 * @param rejections of the step: what could not be read, and what the hub refuses
 * @returns counts with those of the step
 */
export async function keepOutcomes(
  hub: HubContext,
  runId: string,
  before: OutcomeCounts,
  candidates: readonly Candidate[],
  { ids, created, repeated }: StepProspect,
  rejections: readonly Rejection[],
): Promise<OutcomeCounts> {
  const refused = new Set(rejections.map(({ row }) => row));
  const [isCreated, isRepeated] = [new Set(created), new Set(repeated)];
  const changes = await compareRows(hub, candidates, ids);
  const rows: (readonly [Outcome, ForeseenRow])[] = rejections.map(each => ['rejected', presentRejection(each)]);
  for (const [index, candidate] of candidates.entries()) {
    if (refused.has(candidate.row)) continue;
    const own = changes[index]!;
    const facts = { isCreated: isCreated.has(index), isRepeated: isRepeated.has(index), changes: own };
    rows.push([toOutcome(candidate, facts), presentRow(candidate, own)]);
  }
  await hub.store.write(listRowChanges(runId, before, rows));
  const counts = { ...before };
  for (const [outcome] of rows) counts[outcome] += 1;
  return counts;
}

/** Returns what a row would do that is not rejected. @param changes null for somebody whom the graph does not have */
function toOutcome(
  { note, events }: Candidate,
  { isCreated, isRepeated, changes }: { isCreated: boolean; isRepeated: boolean; changes: readonly RowChange[] | null },
): Outcome {
  if (isCreated) return 'created';
  if (isRepeated || changes === null) return 'repeated';
  if (changes.some(({ known }) => known !== null)) return 'contradicting';
  return changes.length > 0 || note !== null || events.length > 0 ? 'adding' : 'unchanged';
}

/** Presents a row that is not rejected. */
function presentRow(candidate: Candidate, changes: readonly RowChange[] | null): ForeseenRow {
  const { row, focuses, person, company } = candidate;
  const name = person?.name ?? company?.observations.find(({ property }) => property === 'name')?.value ?? null;
  return {
    line: row.line,
    name: typeof name === 'string' ? clip(name) : null,
    focus: toFocusKey(focuses[0]),
    // What contradicts comes first.
    changes: (changes ?? [])
      .toSorted((a, b) => Number(a.known === null) - Number(b.known === null))
      .slice(0, MAX_CHANGES)
      .map(({ property, known, given }) => ({
        property,
        known: known === null ? null : toText(known),
        given: toText(given),
      })),
    field: null,
    error: null,
  };
}

/** Presents a row that is rejected. */
function presentRejection({ row, field, error }: Rejection): ForeseenRow {
  return { line: row.line, name: null, focus: null, changes: [], field, error };
}

/** Counts rejected rows by their reason, the most frequent first; further reasons are left out. */
export function addReasons(before: readonly RejectionReason[], rejections: readonly Rejection[]): RejectionReason[] {
  const reasons = new Map(before.map(reason => [toReasonKey(reason.field, reason.error), reason]));
  for (const { row, field, error } of rejections) {
    const key = toReasonKey(field, error);
    const known = reasons.get(key);
    if (known) reasons.set(key, { ...known, rows: known.rows + 1 });
    else if (reasons.size < MAX_REASONS)
      reasons.set(key, { field, error: withoutValues(error), rows: 1, line: row.line });
  }
  return [...reasons.values()].toSorted((a, b) => b.rows - a.rows);
}

function toReasonKey(field: string | null, error: string): string {
  return `${field ?? ''}\0${withoutValues(error)}`;
}

/** Errors quote the value of the row, which is another one in each. */
function withoutValues(error: string): string {
  return error.replaceAll('\\"', '').replace(/"[^"]*"/g, '"…"');
}

/** Returns the changes of the store that keep rows of a step for a list of them, as far as there is space. */
function listRowChanges(
  runId: string,
  before: OutcomeCounts,
  rows: readonly (readonly [outcome: Outcome, row: ForeseenRow])[],
): StoreChange[] {
  const listed = { ...before };
  return rows.flatMap(([outcome, row]) => {
    listed[outcome] += 1;
    if (listed[outcome] > MAX_LISTED) return [];
    const key = toKey(runId, outcome) + String(row.line).padStart(LINE_DIGITS, '0');
    return [{ key, value: row as unknown as Json, expiresInMs: LISTED_TTL_MS }];
  });
}

/** Lists rows of a dry run by what they would do, in the order of the file. @param after `next` of the page before */
export async function listForeseenRows(
  hub: HubContext,
  runId: string,
  outcome: Outcome,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ rows: ForeseenRow[]; next: string | null }> {
  const prefix = toKey(runId, outcome);
  const options = { limit: limit + 1, ...(after !== undefined && { after: prefix + after }) };
  const found = await hub.store.list<Json>(prefix, options);
  const page = found.slice(0, limit);
  return {
    rows: page.map(({ value }) => value as unknown as ForeseenRow),
    next: found.length > limit ? page.at(-1)!.key.slice(prefix.length) : null,
  };
}

function toKey(runId: string, outcome: Outcome): string {
  return `row:${runId}:${outcome}:`;
}

function toText(value: Json): string {
  return clip(typeof value === 'string' ? value : JSON.stringify(value));
}

function clip(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…`.toWellFormed() : text;
}
