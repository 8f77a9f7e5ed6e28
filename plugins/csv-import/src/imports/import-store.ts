import { createHash } from 'node:crypto';
import type { HubContext, Json, StorePort } from '@rapport/plugin-sdk';
import type { DateOrder } from '../mapping/dates.js';
import type { ColumnTarget } from '../mapping/fields.js';
import { toHeaderKey } from '../mapping/text.js';
import type { DecimalSign } from '../mapping/values.js';
import type { DetectedEncoding } from '../reading/encoding.js';

/** Maximum number of columns of a file. */
export const MAX_COLUMNS = 500;

/** What an import writes. */
export const TARGETS = ['people', 'leads', 'companies', 'notes'] as const;

/** What an import writes. */
export type Target = (typeof TARGETS)[number];

/** A run of an import, or one that undoes it. */
export interface ImportRunRef {
  readonly id: string;
  /** Missing in records of older versions, which had imports only. */
  readonly kind?: 'import' | 'undo';
  readonly dry_run: boolean;
  /** Null for an undo. */
  readonly target: Target | null;
  readonly started_at: string;
}

/** An uploaded file and what was done with it, as it is stored. */
export interface ImportRecord {
  /** Beginning of the SHA-256 of the file: the same file is the same import. */
  readonly id: string;
  /** ID of the file in the hub. */
  readonly file: string;
  readonly file_name: string;
  readonly bytes: number;
  readonly encoding: DetectedEncoding;
  /** The sheet that is imported, and all that the workbook has; null for a text file. */
  readonly workbook: { readonly sheet: string; readonly sheets: readonly string[] } | null;
  /** What the user gave instead of what is detected. */
  readonly options: { readonly delimiter: string | null; readonly header_line: number | null };
  /** Time at which rows without a time of their own were true, ISO 8601. */
  readonly file_date: string;
  readonly created_at: string;
  readonly file_expires_at: string;
  readonly runs: readonly ImportRunRef[];
}

/** A mapping that was saved for a header. */
export interface SavedMapping {
  readonly fields: readonly (ColumnTarget | null)[];
  readonly date_order: DateOrder;
  readonly decimal: DecimalSign;
  readonly saved_at: string;
}

const IMPORT = 'import:';
const BY_TIME = 'by-time:';
/** Columns with which the report of a run begins. */
const REPORT_COLUMNS = ['at', 'field', 'error'];
const MAX_RUNS = 20;
const ID_LENGTH = 16;

/** Returns the ID of the import of a file. @param sha256 of its content, hexadecimal */
export function toImportId(sha256: string): string {
  return sha256.slice(0, ID_LENGTH);
}

/** Returns the source of everything that an import records; its family is `csv`. */
export function toSource(importId: string): string {
  return `csv:${importId}`;
}

/** Reads an import; undefined if there is none. */
export function findImport(store: StorePort, id: string): Promise<ImportRecord | undefined> {
  return store.get<Json & ImportRecord>(IMPORT + id);
}

/** Saves an import. */
export async function saveImport(store: StorePort, record: ImportRecord): Promise<void> {
  await store.write([
    { key: IMPORT + record.id, value: toJson(record) },
    { key: toTimeKey(record), value: record.id },
  ]);
}

/** Adds a run to an import. */
export function addRun(record: ImportRecord, run: ImportRunRef): ImportRecord {
  const others = record.runs.filter(({ id }) => id !== run.id);
  return { ...record, runs: [run, ...others].slice(0, MAX_RUNS) };
}

/** Returns a run of an import that has not ended and meets a condition; undefined if there is none. */
export async function findUnfinishedRun(
  hub: HubContext,
  { runs }: ImportRecord,
  condition: (run: ImportRunRef) => boolean = () => true,
): Promise<ImportRunRef | undefined> {
  for (const run of runs.filter(condition)) {
    const status = (await hub.runs.get(run.id))?.status;
    if (status === 'queued' || status === 'running' || status === 'paused') return run;
  }
  return undefined;
}

/** Deletes an import. */
export async function removeImport(store: StorePort, record: ImportRecord): Promise<void> {
  await store.write([{ key: IMPORT + record.id }, { key: toTimeKey(record) }]);
}

/** Lists imports, newest first. @param after `next` of the previous page */
export async function listImports(
  store: StorePort,
  { after, limit }: { readonly after?: string | undefined; readonly limit: number },
): Promise<{ imports: ImportRecord[]; next: string | null }> {
  const page = await store.list<string>(BY_TIME, {
    limit: limit + 1,
    reverse: true,
    ...(after !== undefined && { after: BY_TIME + after }),
  });
  const shown = page.slice(0, limit);
  const records = await store.getMany(shown.map(({ value }) => IMPORT + value));
  return {
    imports: shown.flatMap(({ value }) => {
      const record = records.get(IMPORT + value);
      return record === undefined ? [] : [record as unknown as ImportRecord];
    }),
    next: page.length > limit ? shown.at(-1)!.key.slice(BY_TIME.length) : null,
  };
}

/** Reads the mapping that was saved for a header; undefined if there is none. */
export async function findMapping(store: StorePort, header: readonly string[]): Promise<SavedMapping | undefined> {
  const own = withoutReportColumns(header);
  const saved: SavedMapping | undefined = await store.get<Json & SavedMapping>(toMappingKey(own));
  if (!saved) return undefined;
  const reported = header.slice(0, header.length - own.length);
  return { ...saved, fields: [...reported.map(() => null), ...saved.fields] };
}

/** Saves the mapping of a header for the workspace. */
export function saveMapping(store: StorePort, header: readonly string[], mapping: SavedMapping): Promise<void> {
  const own = withoutReportColumns(header);
  const fields = mapping.fields.slice(header.length - own.length);
  return store.put(toMappingKey(own), toJson({ ...mapping, fields }));
}

/** Returns the header of the file of which this is the report of rejected rows, corrected; others as they are. */
function withoutReportColumns(header: readonly string[]): readonly string[] {
  return REPORT_COLUMNS.every((name, index) => header[index] === name) ? header.slice(REPORT_COLUMNS.length) : header;
}

/** The fingerprint of a header does not depend on case, accents and punctuation, only on names and order. */
function toMappingKey(header: readonly string[]): string {
  const digest = createHash('sha256').update(header.map(toHeaderKey).join('\0')).digest('hex');
  return `mapping:${digest.slice(0, 32)}`;
}

function toTimeKey({ created_at, id }: ImportRecord): string {
  return `${BY_TIME}${created_at}:${id}`;
}

function toJson(value: object): Json {
  return value as unknown as Json;
}
