import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { ZipFile } from 'yazl';
import type { Plan } from '#domain/plans/tiers.js';
import { toIso } from '#domain/time/instant.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HUB_PACKAGE } from '#kernel/version.js';
import { EXPORTED_TABLES, type ExportedTable, readColumns, readTablePage } from './exported-tables.js';

/** Version of the format of exports; an import reads this one only. */
export const EXPORT_FORMAT = 1;
/** Time limit of a page, in milliseconds; the export as a whole may take longer than a request. */
const PAGE_TIMEOUT_MS = 30_000;

/** Characters of a chunk of the zip. It is encoded and its checksum computed in one go, which holds the event loop. */
const CHUNK_CHARACTERS = 64 * 1024;

/** Which part of a workspace to export. */
export interface ExportRequest {
  /** Names of tables; undefined for all of them. */
  readonly tables: readonly string[] | undefined;
  /** Key of the row after which the first table goes on. */
  readonly after: readonly string[] | undefined;
}

/** The last file of an export. It is missing if the export was interrupted. */
export interface ExportManifest {
  readonly format: number;
  readonly hub_version: string;
  readonly exported_at: string;
  readonly workspace: { readonly id: string; readonly name: string; readonly plan: Plan };
  /** Number of rows by table. */
  readonly tables: Readonly<Record<string, number>>;
}

/** Exports a workspace as a zip file with one NDJSON file per table, page by page. */
@Injectable()
export class WorkspaceExportService {
  private readonly log = new Logger('export');

  constructor(private readonly work: UnitOfWork) {}

  /**
   * Returns the zip as a stream. Tables come in the reverse order of an import, so that while others write, whatever a
   * row refers to is read after it. Memory does not grow with the workspace: rows are read when the receiver has taken
   * the previous ones.
   * @throws HubError `invalid_request` for unknown tables, and for a key that does not fit the table
   */
  async export(workspace: string, request: ExportRequest): Promise<Readable> {
    const tables = selectTables(request);
    const head = await this.work.run(workspace, async tx => {
      recordAct(tx, {
        action: 'workspace.export',
        objectId: workspace,
        after: { tables: request.tables ?? null, resumed: request.after !== undefined },
      });
      const [row] = await tx.query<ExportManifest['workspace']>('SELECT id, name, plan FROM workspaces WHERE id = $1', [
        workspace,
      ]);
      return { workspace: row!, exported_at: toIso(await tx.now()) };
    });
    const counts: Record<string, number> = {};
    const finish = async (): Promise<string> => {
      await this.refuseNewErasures(workspace, tables, head.exported_at);
      return JSON.stringify(manifest());
    };
    const manifest = () => ({ format: EXPORT_FORMAT, hub_version: HUB_PACKAGE.version, ...head, tables: counts });
    const zip = new ZipFile();
    const output = zip.outputStream as Readable;
    zip.on('error', (error: unknown) => {
      this.log.warn(`An export of ${workspace} was interrupted: ${String(error)}`);
      output.destroy(error instanceof Error ? error : new Error(String(error)));
    });
    for (const [i, table] of tables.entries()) {
      const lines = () => this.readLines(workspace, table, i === 0 ? request.after : undefined, counts, output);
      zip.addReadStreamLazy(`${table.name}.ndjson`, open => {
        // The zip does not listen for errors of a stream, and an error that nobody listens for ends the process.
        const content = Readable.from(lines(), { objectMode: false }).on('error', error => zip.emit('error', error));
        open(null, content);
      });
    }
    zip.addReadStreamLazy('manifest.json', open =>
      finish().then(
        text => open(null, Readable.from([text])),
        (error: unknown) => zip.emit('error', error),
      ),
    );
    zip.end();
    return output;
  }

  /** Refuses to finish an export that holds data of a person, but not their erasure, which began meanwhile. */
  private async refuseNewErasures(workspace: string, tables: readonly ExportedTable[], since: string): Promise<void> {
    if (!tables.some(({ name }) => name === 'erasures')) return;
    const [row] = await this.work.erase(workspace, tx =>
      tx.query<{ erased: boolean }>(
        'SELECT EXISTS (SELECT FROM erasures WHERE workspace_id = $1 AND requested_at >= $2::timestamptz) AS erased',
        [workspace, since],
      ),
    );
    if (row!.erased) throw new Error('A person was erased during the export; export again.');
  }

  private async *readLines(
    workspace: string,
    table: ExportedTable,
    start: readonly string[] | undefined,
    counts: Record<string, number>,
    output: Readable,
  ): AsyncGenerator<string> {
    const read = <T>(query: Parameters<typeof this.work.run<T>>[1]) =>
      this.work[table.isForEraser ? 'erase' : 'run'](workspace, query, { budgetMs: PAGE_TIMEOUT_MS });
    const columns = await read(tx => readColumns(tx, table));
    counts[table.name] = 0;
    for (let after = start; !output.destroyed;) {
      const page = await read(tx => readTablePage(tx, table, columns, after));
      counts[table.name]! += page.length;
      for (const chunk of groupLines(page.map(({ json }) => json))) {
        yield chunk;
        await nextTurn();
      }
      if (page.length < table.pageSize || table.key.length === 0) return;
      after = page.at(-1)!.key;
    }
  }
}

/** Returns lines as texts of about the chunk size. */
function* groupLines(lines: readonly string[]): Generator<string> {
  let length = 0;
  let chunk: string[] = [];
  for (const line of lines) {
    chunk.push(line, '\n');
    length += line.length;
    if (length < CHUNK_CHARACTERS) continue;
    yield chunk.join('');
    [length, chunk] = [0, []];
  }
  if (chunk.length > 0) yield chunk.join('');
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function selectTables({ tables, after }: ExportRequest): ExportedTable[] {
  const known = EXPORTED_TABLES.map(({ name }) => name);
  const unknown = tables?.filter(name => !known.includes(name)) ?? [];
  if (unknown.length > 0) {
    const message = `There is no table ${unknown.join(', ')}; there are ${known.join(', ')}.`;
    throw HubError.invalidRequest([{ field: 'tables', message }]);
  }
  const selected = EXPORTED_TABLES.filter(({ name }) => !tables || tables.includes(name)).toReversed();
  const [first] = selected;
  if (!first) throw HubError.invalidRequest([{ field: 'tables', message: 'tables must name at least one table.' }]);
  if (after && !fitsKey(first, after)) {
    const key = first.key.map(({ name, type }) => `${name} (${type})`).join(', ');
    const message = `after must hold the key of a row of ${first.name}, the first table: ${key || 'it has none'}.`;
    throw HubError.invalidRequest([{ field: 'after', message }]);
  }
  return selected;
}

function fitsKey({ key }: ExportedTable, after: readonly string[]): boolean {
  if (after.length !== key.length || key.length === 0) return false;
  return key.every(({ type }, i) => {
    const value = after[i]!;
    if (type === 'uuid') return UUID.test(value);
    if (type === 'date') return /^\d{4}-\d\d-\d\d$/.test(value);
    if (type === 'bytea') return /^\\x([0-9a-f]{2}){1,64}$/.test(value);
    return type === 'text' ? !value.includes('\0') : /^-?\d{1,9}$/.test(value);
  });
}
