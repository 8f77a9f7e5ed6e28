import { Injectable } from '@nestjs/common';
import {
  type HubContext,
  type Json,
  type JsonObject,
  PermanentError,
  type PluginRun,
  type RunDone,
} from '@rapport/plugin-sdk';
import { type Cursor, type DataRow, readRows, type RowFormat } from '../reading/rows.js';
import {
  type Candidate,
  type CandidateOptions,
  isCandidate,
  isRejection,
  type Rejection,
  toCandidate,
} from './candidate.js';
import { toSource } from './import-store.js';
import {
  addReasons,
  keepOutcomes,
  NO_OUTCOMES,
  type OutcomeCounts,
  type RejectionReason,
  type StepProspect,
} from './dry-run.js';
import { KeySet } from './key-set.js';
import { findKnown, findMembers, findRefusals, toFocusKey, writeCandidates } from './write-candidates.js';
import { plugin } from '../plugin.js';

/** What a run of an import is started with. */
export interface ImportInput extends CandidateOptions {
  readonly importId: string;
  /** ID of the file in the hub. */
  readonly file: string;
  readonly format: RowFormat;
  readonly start: Cursor;
  readonly dryRun: boolean;
  /** Name of the lead list; null for other targets. */
  readonly list: string | null;
}

/** Result of an import, and of its dry run. */
export interface ImportCounts {
  /** Rows of the file, without blank lines and footers. */
  readonly rows: number;
  /** Rows whose person or company the import creates. */
  readonly created: number;
  /** Rows about somebody whom the graph, or an earlier row, has already. */
  readonly matched: number;
  readonly rejected: number;
  readonly notes: number;
  /** Why rows are not imported, the most frequent reason first. */
  readonly rejections: readonly RejectionReason[];
  /** Rows by what they would do; missing unless it is a dry run. */
  readonly outcomes?: OutcomeCounts;
  /** People who were added to the lead list; missing for other targets. */
  readonly leads?: number;
  /** ID of the lead list; null in a dry run and if nobody was added, missing for other targets. */
  readonly list_id?: string | null;
}

/** Positions of rows of a step that create somebody, and of those that add a lead. */
interface StepPlan {
  readonly created: readonly number[];
  readonly leads: readonly number[];
}

/** A plan with what it was made of. */
type StepOutlook = StepPlan & StepProspect;

/** State of a run: JSON. */
interface ImportState {
  readonly cursor: Cursor;
  readonly counts: Omit<ImportCounts, 'rejections'> & Partial<Pick<ImportCounts, 'rejections'>>;
}

/** Identifiers of earlier rows of a dry run, and of those of its current step. */
interface SeenKeys {
  step: number;
  readonly keys: KeySet;
  current: readonly string[];
}

const ROWS_PER_STEP = 1_000;
const MAX_DRY_RUNS = 4;
const PLAN_TTL_MS = 86_400_000;
const NOBODY: ReadonlySet<string> = new Set();
const NO_COUNTS: ImportCounts = { rows: 0, created: 0, matched: 0, rejected: 0, notes: 0, rejections: [] };

/** Reads a file in steps and writes its rows. */
@Injectable()
export class ImportRun {
  /** By run; read again from the file where it is missing. */
  private readonly seen = new Map<string, SeenKeys>();

  @plugin.OnRun('import')
  async importRows(run: PluginRun<ImportInput, ImportState>, hub: HubContext): Promise<ImportState | RunDone> {
    const { input } = run;
    const { cursor, counts } = run.state ?? { cursor: input.start, counts: NO_COUNTS };
    const file = await hub.files.info(input.file);
    if (!file) throw new PermanentError('The file has expired or was deleted. Upload it again.');
    const rows = await takeRows(hub, input, cursor);
    const read = rows.map(row => toCandidate(row, input));
    const candidates = read.filter(isCandidate);
    const outlook = input.dryRun ? await this.foresee(run, hub, candidates, cursor) : undefined;
    const planned = outlook ?? (await this.plan(run, hub, candidates, cursor));
    const origin = { importId: run.id, source: toSource(input.importId), list: input.list };
    const { refused, listId } = input.dryRun
      ? { refused: await findRefusals(hub, candidates), listId: null }
      : await writeCandidates(hub, candidates, origin);
    const rejections = [...read.filter(isRejection), ...refused];
    const outcomes =
      outlook && (await keepOutcomes(hub, run.id, counts.outcomes ?? NO_OUTCOMES, candidates, outlook, rejections));
    const isRefused = new Set(refused.map(({ row }) => row));
    const countTaken = (indexes: readonly number[]) =>
      indexes.filter(index => !isRefused.has(candidates[index]!.row)).length;
    const created = countTaken(planned.created);
    const taken = candidates.filter(({ row }) => !isRefused.has(row));
    for (const rejection of rejections.toSorted((a, b) => a.row.line - b.row.line)) report(run, rejection);
    const total: ImportCounts = {
      rows: counts.rows + rows.length,
      created: counts.created + created,
      matched: counts.matched + taken.length - created,
      rejected: counts.rejected + rejections.length,
      notes: counts.notes + taken.filter(({ note }) => note !== null).length,
      // Runs that an older version began have none.
      rejections: addReasons(counts.rejections ?? [], rejections),
      ...(outcomes && { outcomes }),
      ...(input.list !== null && {
        leads: (counts.leads ?? 0) + countTaken(planned.leads),
        list_id: listId ?? counts.list_id ?? null,
      }),
    };
    const isLast = rows.length < ROWS_PER_STEP;
    const next = rows.at(-1)?.next ?? cursor;
    run.progress(isLast ? file.bytes : next.offset, file.bytes, `${total.rows} rows read`);
    if (!isLast) return { cursor: next, counts: total };
    this.seen.delete(run.id);
    return run.done({ ...total } as unknown as JsonObject);
  }

  /**
   * Returns the positions of the rows that create somebody or add a lead, before anything is written, and stores them: a
   * step that is repeated after a crash finds what its first attempt created.
   */
  private async plan(
    run: PluginRun<ImportInput, ImportState>,
    hub: HubContext,
    candidates: readonly Candidate[],
    cursor: Cursor,
  ): Promise<StepPlan> {
    const key = `plan:${run.id}:${run.step}`;
    const stored = await hub.store.get<Json & StepPlan>(key);
    if (stored) return stored;
    const { created, leads } = await this.foresee(run, hub, candidates, cursor);
    await hub.store.write([
      { key, value: { created: [...created], leads: [...leads] }, expiresInMs: PLAN_TTL_MS },
      { key: `plan:${run.id}:${run.step - 1}` },
    ]);
    return { created, leads };
  }

  /** Finds out what the rows of a step create, add and repeat. */
  private async foresee(
    run: PluginRun<ImportInput, ImportState>,
    hub: HubContext,
    candidates: readonly Candidate[],
    cursor: Cursor,
  ): Promise<StepOutlook> {
    const ids = await findKnown(hub, candidates);
    const seen = run.input.dryRun ? await this.readSeen(run, hub, cursor) : undefined;
    const inStep = new KeySet();
    const { list } = run.input;
    const members =
      list === null
        ? NOBODY
        : await findMembers(
            hub,
            list,
            ids.filter(id => id !== null),
          );
    const outlook = { created: [] as number[], leads: [] as number[], repeated: [] as number[] };
    for (const [index, { focuses }] of candidates.entries()) {
      const keys = focuses.map(toFocusKey);
      const isRepeat = keys.some(each => seen?.keys.has(each) || inStep.has(each));
      const id = ids[index]!;
      if (isRepeat) outlook.repeated.push(index);
      if (id === null && !isRepeat) outlook.created.push(index);
      if (list !== null && !isRepeat && (id === null || !members.has(id))) outlook.leads.push(index);
      for (const each of keys) inStep.add(each);
    }
    if (seen) seen.current = candidates.flatMap(({ focuses }) => focuses.map(toFocusKey));
    return { ids, ...outlook };
  }

  /** Returns the identifiers of the rows before a dry run's step, which the graph does not have. */
  private async readSeen(run: PluginRun<ImportInput, ImportState>, hub: HubContext, cursor: Cursor): Promise<SeenKeys> {
    const known = this.seen.get(run.id);
    if (known && run.step - known.step <= 1 && run.step >= known.step) {
      if (run.step > known.step) for (const key of known.current) known.keys.add(key);
      known.step = run.step;
      return known;
    }
    const seen: SeenKeys = { step: run.step, keys: new KeySet(), current: [] };
    for await (const row of openRows(hub, run.input, run.input.start)) {
      if (row.next.offset > cursor.offset) break;
      const read = toCandidate(row, run.input);
      if (isCandidate(read)) for (const focus of read.focuses) seen.keys.add(toFocusKey(focus));
    }
    if (this.seen.size >= MAX_DRY_RUNS) this.seen.delete(this.seen.keys().next().value!);
    this.seen.set(run.id, seen);
    return seen;
  }
}

async function takeRows(hub: HubContext, input: ImportInput, cursor: Cursor): Promise<DataRow[]> {
  const rows: DataRow[] = [];
  for await (const row of openRows(hub, input, cursor)) if (rows.push(row) === ROWS_PER_STEP) break;
  return rows;
}

async function* openRows(hub: HubContext, { file, format }: ImportInput, cursor: Cursor): AsyncGenerator<DataRow> {
  yield* readRows(await hub.files.open(file, cursor.offset), format, cursor);
}

function report(run: PluginRun<ImportInput, ImportState>, { row, field, error }: Rejection): void {
  run.report({ at: row.line, error, cells: row.cells.slice(0, 1_000), ...(field !== null && { field }) });
}
