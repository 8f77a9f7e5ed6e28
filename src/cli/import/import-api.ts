import { createReadStream } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { type ApiClient, delay } from '../api/api-client.js';
import { CliError } from '../base/errors.js';

const IMPORTS = '/v2/plugins/csv-import/imports';
const RUNS = '/v2/plugins/csv-import/runs';
const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.tsv': 'text/tab-separated-values',
  '.txt': 'text/plain',
  '.xlsx': 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};
const POLL_INTERVAL_MS = { min: 200, max: 2_000 };

/** How a file is read, where it is not detected. */
export interface UploadOptions {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly header_line?: string | undefined;
  readonly file_date?: string | undefined;
  readonly sheet?: string | undefined;
}

/** A column of the file, and what it states. */
export interface PreviewColumn {
  readonly index: number;
  readonly header: string;
  /** Null if the column states nothing. */
  readonly field: string | null;
  readonly confidence: number;
  /** Whether several columns can state the field. */
  readonly repeatable: boolean;
  readonly reason: string;
  readonly examples: readonly string[];
}

/** An uploaded file, as the hub reads it. */
export interface ImportPreview {
  readonly id: string;
  readonly file_name: string;
  /** Null for a text file. */
  readonly workbook: { readonly sheet: string; readonly sheets: readonly string[] } | null;
  readonly dialect: { readonly encoding: string; readonly delimiter: string; readonly header_line: number | null };
  readonly mapping: {
    readonly from: 'saved' | 'proposed';
    readonly columns: readonly PreviewColumn[];
    readonly has_ambiguous_dates: boolean;
  };
}

/** What an import is started with, as `POST …/imports/:id/start` takes it. */
export interface StartBody {
  readonly target: string;
  readonly list?: string | undefined;
  readonly columns: readonly { readonly index: number; readonly field: string | null }[];
  readonly date_order?: string | undefined;
  readonly decimal?: string | undefined;
  readonly record_system?: string | undefined;
  readonly dry_run: boolean;
}

/** Counts of a run. */
export interface RunCounts {
  readonly rows: number;
  readonly created: number;
  readonly matched: number;
  readonly rejected: number;
  readonly notes: number;
  /** People who were added to the list; only for the target `leads`. */
  readonly leads?: number;
  readonly list_id?: string | null;
}

/** A run of an import. */
export interface ImportRun<Result = RunCounts> {
  readonly id: string;
  readonly status: 'queued' | 'running' | 'paused' | 'finished' | 'failed' | 'cancelled';
  /** In bytes of the file. */
  readonly progress: { readonly done: number; readonly total: number | null; readonly message: string | null };
  readonly reported: number;
  readonly result: Result | null;
  readonly error: string | null;
}

/** Sends a file. @param update is given the share that was sent, from 0 to 1 @throws CliError */
export async function uploadFile(
  hub: ApiClient,
  file: string,
  query: UploadOptions,
  update: (share: number) => void,
): Promise<ImportPreview> {
  const size = (await stat(file).catch(() => undefined))?.size;
  if (size === undefined) throw CliError.usage(`The file ${file} is not there.`, 'Check the path.');
  const response = await hub.call<{ import: ImportPreview }>('POST', IMPORTS, {
    query: { ...query },
    headers: {
      'content-type': CONTENT_TYPES[path.extname(file).toLowerCase()] ?? 'text/csv',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(path.basename(file))}`,
    },
    stream: () => Readable.toWeb(Readable.from(readFile(file, size, update))),
    timeoutMs: Infinity,
  });
  return response.import;
}

async function* readFile(file: string, size: number, update: (share: number) => void): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    sent += chunk.length;
    update(sent / Math.max(1, size));
    yield chunk;
  }
}

/**
 * Starts an import or its dry run. The same file, mapping and target are the same run, so one that was paused is
 * resumed.
 */
export async function startImport(hub: ApiClient, importId: string, body: StartBody): Promise<ImportRun> {
  const { run } = await hub.call<{ run: { id: string } }>('POST', `${IMPORTS}/${importId}/start`, {
    body,
    readsOnly: body.dry_run,
  });
  const started = await readRun(hub, run.id);
  return started.status === 'paused' ? hub.call<ImportRun>('POST', `${RUNS}/${run.id}/resume`) : started;
}

/** Counts of an undo. */
export interface UndoCounts {
  readonly observations: number;
  readonly notes: number;
  readonly leads: number;
  readonly entities_removed: number;
}

/** An import, as `GET …/imports/:id` shows it. */
export interface ShownImport {
  readonly id: string;
  readonly file_name: string;
  readonly created_at: string;
}

/** Reads an import. @throws CliError if there is none */
export async function readImport(hub: ApiClient, id: string): Promise<ShownImport> {
  return (await hub.call<{ import: ShownImport }>('GET', `${IMPORTS}/${encodeURIComponent(id)}`)).import;
}

/** Starts to undo an import, or a dry run of that. @returns the ID of the run */
export async function startUndo(
  hub: ApiClient,
  id: string,
  body: { readonly dry_run: boolean; readonly reason?: string | undefined },
): Promise<string> {
  const { run } = await hub.call<{ run: { id: string } }>('POST', `${IMPORTS}/${encodeURIComponent(id)}/undo`, {
    body,
    readsOnly: body.dry_run,
  });
  return run.id;
}

/** Waits for the end of a run. @param update is given the run each time that it is read */
export async function followRun<Result = RunCounts>(
  hub: ApiClient,
  id: string,
  signal: AbortSignal,
  update: (run: ImportRun<Result>) => void,
): Promise<ImportRun<Result>> {
  for (let waitMs = POLL_INTERVAL_MS.min; ; waitMs = Math.min(POLL_INTERVAL_MS.max, waitMs * 1.5)) {
    const run = await readRun<Result>(hub, id);
    update(run);
    if (run.status !== 'queued' && run.status !== 'running') return run;
    await delay(waitMs, signal).catch(() => {
      throw CliError.interrupted();
    });
  }
}

/** Pauses a run, so that the same command can resume it. */
export async function pauseRun(hub: ApiClient, id: string): Promise<void> {
  await hub.call('POST', `${RUNS}/${id}/pause`);
}

/** Writes the rejected rows of a run, with reasons, to a file. */
export async function saveReport(hub: ApiClient, id: string, file: string): Promise<void> {
  await writeFile(file, await hub.open(`${RUNS}/${id}/report`));
}

function readRun<Result = RunCounts>(hub: ApiClient, id: string): Promise<ImportRun<Result>> {
  return hub.call<ImportRun<Result>>('GET', `${RUNS}/${id}`);
}
