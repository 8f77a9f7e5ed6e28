import { type HubContext, type Json, type JsonObject, PermanentError } from '@rapport/plugin-sdk';
import { type ColumnTarget, type Field, readOwnProperty, REPEATABLE_FIELDS, toOwnProperty } from '../mapping/fields.js';
import type { MappingProposal } from '../mapping/propose.js';
import type { Mapping } from '../mapping/row.js';
import { inspectSample, type Inspection, SAMPLE_BYTES } from '../reading/inspect.js';
import { isCandidate, isRejection, toCandidate } from './candidate.js';
import { compareRows } from './compare.js';
import { mapConcurrently } from './concurrency.js';
import { findMapping, type ImportRecord } from './import-store.js';
import { findKnown, toFocusKey } from './write-candidates.js';

const SHOWN_ROWS = 20;
/** Rows of the sample that are looked up in the graph. */
const FORESEEN_ROWS = 100;
const MAX_EXAMPLES = 5;
const MAX_CELL_LENGTH = 200;
const CONCURRENCY = 10;

/** A file as it will be read: its format and the mapping that applies unless another one is given. */
export interface ReadyFile extends Inspection {
  /** The proposal, or the mapping that the workspace saved for this header. */
  readonly mapping: MappingProposal;
  readonly isSavedMapping: boolean;
}

/** Inspects the file of an import. @throws PermanentError if it has expired or has no text */
export async function readyFile(hub: HubContext, record: ImportRecord): Promise<ReadyFile> {
  const sample = await readSample(hub, record.file);
  const { delimiter, header_line } = record.options;
  const inspection = await inspectSample(sample, record.bytes <= sample.length, record.encoding, {
    ...(delimiter !== null && { delimiter }),
    ...(header_line !== null && { headerLine: header_line }),
  });
  if (!inspection) throw new PermanentError('The file has no text. Export it again.');
  const saved = await findMapping(hub.store, inspection.format.header);
  if (!saved) return { ...inspection, isSavedMapping: false };
  const columns = inspection.mapping.columns.map(column => {
    const target = saved.fields[column.index] ?? null;
    if (target === column.field) return column;
    return {
      ...column,
      ...splitTarget(target),
      confidence: target === null ? 0 : 1,
      reason: 'It was mapped so the last time.',
    };
  });
  const { date_order, decimal } = saved;
  return { ...inspection, mapping: { ...inspection.mapping, columns, date_order, decimal }, isSavedMapping: true };
}

/** Returns what the mapping of a file says of its columns, in the form in which rows are read. */
export function toMapping({ columns, date_order, decimal }: MappingProposal): Mapping {
  const fields = columns.map(({ field, property }) => (property === null ? field : toOwnProperty(property)));
  return { fields, date_order, decimal };
}

function splitTarget(target: ColumnTarget | null): { field: Field | null; property: string | null } {
  const property = target === null ? null : readOwnProperty(target);
  return { field: property === null ? (target as Field | null) : null, property };
}

/** Presents a file before it is imported. */
export async function presentPreview(hub: HubContext, record: ImportRecord, ready: ReadyFile): Promise<JsonObject> {
  const { format, preamble, mapping, rows, isSavedMapping } = ready;
  const { encoding, reason, doubtfulLine } = record.encoding;
  const doubtful = rows.find(({ line }) => line === doubtfulLine);
  return {
    dialect: {
      encoding,
      encoding_reason: reason,
      doubtful_line: doubtfulLine,
      doubtful_text: doubtful ? clip(doubtful.cells.join(format.delimiter)) : null,
      delimiter: format.delimiter,
      quote: format.quote,
      header_line: format.headerLine,
      preamble: preamble.map(clip),
    },
    mapping: {
      from: isSavedMapping ? 'saved' : 'proposed',
      columns: mapping.columns.map(column => ({
        ...column,
        repeatable: column.field !== null && REPEATABLE_FIELDS.has(column.field),
        examples: [...column.examples],
      })),
      date_order: mapping.date_order,
      decimal: mapping.decimal,
      has_ambiguous_dates: mapping.has_ambiguous_dates,
    },
    sample: rows.slice(0, SHOWN_ROWS).map(({ line, cells, problem = null }) => ({
      line,
      cells: cells.map(clip),
      problem,
    })),
    foreseen: await foresee(hub, record, ready),
  };
}

/** Looks at the first rows: what is rejected, repeated, known already, and known otherwise. */
async function foresee(hub: HubContext, record: ImportRecord, { rows, mapping }: ReadyFile): Promise<JsonObject> {
  const options = {
    target: 'people' as const,
    mapping: toMapping(mapping),
    recordSystem: null,
    fileDate: record.file_date,
    leadColumns: [],
  };
  const read = rows.slice(0, FORESEEN_ROWS).map(row => toCandidate(row, options));
  const candidates = read.filter(isCandidate);
  const rejected = read.filter(isRejection);
  const seen = new Set<string>();
  const repeated = candidates.filter(({ focuses }) => {
    const keys = focuses.map(toFocusKey);
    const isRepeated = keys.some(key => seen.has(key));
    for (const key of keys) seen.add(key);
    return isRepeated;
  });
  const found = await compareRows(hub, candidates, await findKnown(hub, candidates));
  const conflicts = found.flatMap((changes, index) =>
    (changes ?? []).flatMap(({ property, known, given }) =>
      known === null
        ? []
        : [{ line: candidates[index]!.row.line, field: property, known: show(known), given: show(given) }],
    ),
  );
  return {
    rows: read.length,
    rejected: rejected.length,
    rejections: rejected.slice(0, MAX_EXAMPLES).map(({ row, field, error }) => ({ line: row.line, field, error })),
    repeated: repeated.length,
    repeated_lines: repeated.slice(0, MAX_EXAMPLES).map(({ row }) => row.line),
    known: found.filter(each => each !== null).length,
    conflicts: conflicts.length,
    conflict_examples: conflicts.slice(0, MAX_EXAMPLES),
  };
}

/** Reads the beginning of a file. */
export async function readSample(hub: HubContext, file: string): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of await hub.files.open(file)) {
    parts.push(part);
    length += part.length;
    if (length >= SAMPLE_BYTES) break;
  }
  return Buffer.concat(parts).subarray(0, SAMPLE_BYTES);
}

function show(value: Json): string {
  return clip(typeof value === 'string' ? value : JSON.stringify(value));
}

function clip(text: string): string {
  return text.length > MAX_CELL_LENGTH ? `${text.slice(0, MAX_CELL_LENGTH)}…`.toWellFormed() : text;
}

/** Presents an import without its preview. */
export async function presentImport(hub: HubContext, record: ImportRecord): Promise<JsonObject> {
  const runs = await mapConcurrently(
    record.runs,
    CONCURRENCY,
    async ({ id, kind = 'import', ...run }): Promise<JsonObject> => {
      const info = await hub.runs.get(id);
      return {
        id,
        kind,
        ...run,
        status: info?.status ?? 'expired',
        done: info?.progress.done ?? null,
        total: info?.progress.total ?? null,
        rejected: info?.reported ?? null,
        result: (kind === 'import' ? (info?.result ?? null) : null) as Json,
        retracted: (kind === 'undo' ? (info?.result ?? null) : null) as Json,
        error: info?.error ?? null,
      };
    },
  );
  const { id, file_name, bytes, file_date, created_at, file_expires_at } = record;
  // Records of older versions have no workbook.
  const workbook = record.workbook ?? null;
  return { id, file_name, bytes, workbook, file_date, created_at, file_expires_at, runs };
}
