import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import * as yauzl from 'yauzl';
import { OPERATOR } from '#domain/actor/actor.js';
import { isPlan, type Plan } from '#domain/plans/tiers.js';
import { recordAct } from '#kernel/audit/audit-log.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { Tx } from '#kernel/db/transaction.js';
import { type SecretBox, UnsealError } from '#kernel/secrets/secret-box.js';
import { createEmptyWorkspace, findWorkspace } from '#kernel/workspaces/workspaces.repository.js';
import { toTermsPlace } from '../erasures/erasure-secrets.js';
import { toHashKeyPlace } from '../identity/suppression.service.js';
import { EXPORTED_TABLES, type ExportedTable, readColumns } from './exported-tables.js';
import { EXPORT_FORMAT, type ExportManifest } from './workspace-export.service.js';

/** Thrown if an export cannot be imported; the message says why and what to do. */
export class ImportError extends Error {}

/** Options of {@link importWorkspace}. */
export interface ImportOptions {
  /** ID of the new workspace. Default: that of the export. */
  readonly workspaceId?: string;
  /** Whether to continue an import that was interrupted: the workspace exists already. */
  readonly resume?: boolean;
  /** Whether to check the file without writing. */
  readonly dryRun?: boolean;
  /** Receives the table that is read and the rows so far. */
  readonly onProgress?: (table: string, rows: number) => void;
}

/** What an import wrote, or would write. */
export interface ImportResult {
  readonly workspaceId: string;
  readonly name: string;
  readonly plan: Plan;
  /** Rows by imported table. */
  readonly tables: Readonly<Record<string, number>>;
}

/** Largest batch of an insert, in rows and in characters. */
const MAX_BATCH_ROWS = 500;
/** Largest batch of an insert, in characters. */
const MAX_BATCH_CHARACTERS = 4_000_000;
/** Time limit of a batch, in milliseconds. */
const BATCH_TIMEOUT_MS = 60_000;
/** Columns of entities that refer to other entities: they are set when all entities are there. */
const ENTITY_REFERENCES: ReadonlySet<string> = new Set(['company_id', 'canonical_id']);

/**
 * Creates a workspace from the zip file of an export. Rows keep their IDs and times. An import that was interrupted is
 * repeated with `resume`: rows that are there already are skipped. Memory does not grow with the export. Erased people
 * stay erased: the key of their hashes is resealed for this hub, and unfinished erasures run again from their first phase.
 * @param openBox opens the secrets of this hub, with the key of the exporting one; called if people were erased.
 * @throws ImportError if the file is no complete export, the workspace exists, or what is sealed cannot be opened
 */
export async function importWorkspace(
  { work, openBox }: { readonly work: UnitOfWork; readonly openBox: () => Promise<SecretBox> },
  file: string,
  { workspaceId, resume = false, dryRun = false, onProgress = () => undefined }: ImportOptions = {},
): Promise<ImportResult> {
  const zip = await openZip(file);
  try {
    const manifest = await readManifest(zip);
    const { name, plan } = manifest.workspace;
    const id = workspaceId ?? manifest.workspace.id;
    const exists = (await findWorkspace(work, id)) !== null;
    if (exists && !resume) {
      throw new ImportError(
        `The workspace ${id} exists already. Import into another ID with --workspace-id, or continue with --resume.`,
      );
    }
    const job = { work, openBox, zip, workspace: id, exported: manifest.workspace.id, onProgress };
    const sealed = EXPORTED_TABLES.filter(({ name }) => RESEALED_TABLES.has(name));
    for (const table of sealed) await forEachBatch({ ...job, table, dryRun: true }, async () => undefined);
    if (!dryRun && !exists) await createEmptyWorkspace(work, { id, name, plan });
    const tables: Record<string, number> = {};
    for (const table of EXPORTED_TABLES.filter(({ isImported }) => isImported)) {
      tables[table.name] = await importTable({ ...job, table, dryRun });
      const expected = manifest.tables[table.name] ?? 0;
      if (tables[table.name] !== expected) {
        throw new ImportError(
          `${table.name}.ndjson has ${tables[table.name]} rows, but the manifest says ${expected}. Export again.`,
        );
      }
    }
    if (!dryRun) {
      await work.run(id, async tx => {
        recordAct(tx, { action: 'workspace.import', objectId: id, after: { tables }, actor: OPERATOR });
      });
    }
    return { workspaceId: id, name, plan, tables };
  } finally {
    zip.file.close();
  }
}

interface OpenZip {
  readonly file: yauzl.ZipFile;
  readonly entries: ReadonlyMap<string, yauzl.Entry>;
}

async function openZip(path: string): Promise<OpenZip> {
  const open = promisify<string, yauzl.Options, yauzl.ZipFile>(yauzl.open);
  const file = await open(path, { lazyEntries: true, autoClose: false }).catch((error: unknown) => {
    throw new ImportError(
      `${path} is not a complete zip file: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  const entries = new Map<string, yauzl.Entry>();
  await new Promise<void>((resolve, reject) => {
    file.on('entry', (entry: yauzl.Entry) => {
      entries.set(entry.fileName, entry);
      file.readEntry();
    });
    file.on('end', resolve);
    file.on('error', reject);
    file.readEntry();
  });
  return { file, entries };
}

function openEntry({ file, entries }: OpenZip, name: string): Promise<Readable> {
  const entry = entries.get(name);
  if (!entry) throw new ImportError(`The file has no ${name}: it is no complete export of a workspace.`);
  return new Promise((resolve, reject) => {
    file.openReadStream(entry, (error, stream) => (error ? reject(error) : resolve(stream)));
  });
}

async function readManifest(zip: OpenZip): Promise<ExportManifest> {
  const chunks: Buffer[] = [];
  for await (const chunk of await openEntry(zip, 'manifest.json')) chunks.push(chunk as Buffer);
  const manifest = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ExportManifest;
  if (manifest.format !== EXPORT_FORMAT) {
    throw new ImportError(`The export has format ${manifest.format}; this hub reads format ${EXPORT_FORMAT}.`);
  }
  if (!isPlan(manifest.workspace.plan))
    throw new ImportError(`The plan ${String(manifest.workspace.plan)} is unknown to this hub.`);
  return manifest;
}

interface TableImport {
  readonly work: UnitOfWork;
  readonly openBox: () => Promise<SecretBox>;
  readonly zip: OpenZip;
  readonly table: ExportedTable;
  readonly workspace: string;
  /** ID of the workspace in the hub that exported it. */
  readonly exported: string;
  readonly dryRun: boolean;
  readonly onProgress: (table: string, rows: number) => void;
}

/** @returns the number of rows in the file. */
async function importTable(job: TableImport): Promise<number> {
  const { work, table, workspace, dryRun } = job;
  if (dryRun) return forEachBatch(job, async () => undefined);
  const run = <T>(query: (tx: Tx) => Promise<T>) =>
    work[table.isForEraser ? 'erase' : 'run'](workspace, query, { budgetMs: BATCH_TIMEOUT_MS });
  const columns = await run(tx => readColumns(tx, table));
  const written = table.name === 'entities' ? columns.filter(column => !ENTITY_REFERENCES.has(column)) : columns;
  const count = await forEachBatch(job, rows => run(tx => insertRows(tx, table, written, rows)));
  if (table.name === 'entities') await forEachBatch(job, rows => run(tx => setEntityReferences(tx, rows)));
  return count;
}

/** Inserts rows, which are lines of JSON; those that exist are skipped. */
function insertRows(tx: Tx, { name }: ExportedTable, columns: readonly string[], rows: string): Promise<unknown> {
  const own = columns.map(column => (column === 'workspace_id' ? '$1::uuid' : column));
  return tx.query(
    `INSERT INTO ${name} (${columns.join(', ')})
     SELECT ${own.join(', ')} FROM json_populate_recordset(NULL::${name}, $2::json) ON CONFLICT DO NOTHING`,
    [tx.workspace, rows],
  );
}

function setEntityReferences(tx: Tx, rows: string): Promise<unknown> {
  return tx.query(
    `UPDATE entities SET company_id = imported.company_id, canonical_id = imported.canonical_id
     FROM json_populate_recordset(NULL::entities, $2::json) AS imported
     WHERE entities.workspace_id = $1 AND entities.id = imported.id
       AND (imported.company_id IS NOT NULL OR imported.canonical_id IS NOT NULL)`,
    [tx.workspace, rows],
  );
}

/** Tables with texts that are sealed for the exporting hub and workspace. */
const RESEALED_TABLES: ReadonlySet<string> = new Set(['erasures', 'erasure_keys']);

interface SealedRow {
  readonly id: string;
  readonly state: string;
  readonly sealed?: string;
  readonly terms?: string | null;
}

/** Reseals a row for this hub and workspace. An unfinished erasure starts again, since other data may have come before. */
async function resealRow({ openBox, workspace, exported }: TableImport, line: string): Promise<string> {
  const row = JSON.parse(line) as SealedRow;
  if (row.sealed === undefined && typeof row.terms !== 'string') return line;
  const box = await openBox();
  try {
    if (row.sealed !== undefined) {
      const key = box.open(toHashKeyPlace(exported), row.sealed);
      return JSON.stringify({ ...row, sealed: box.seal(toHashKeyPlace(workspace), key) });
    }
    const terms = box.open(toTermsPlace(exported, row.id), row.terms!);
    const again = { state: 'pending', phase: 0, cursor: null, failures: 0 };
    return JSON.stringify({ ...row, ...again, terms: box.seal(toTermsPlace(workspace, row.id), terms) });
  } catch (error) {
    if (!(error instanceof UnsealError)) throw error;
    throw new ImportError(
      'People were erased from this workspace, and this hub cannot open the key by which they are recognized. ' +
        `Add the key of the exporting hub to the end of SECRET_KEYS for this command: ${error.message}`,
    );
  }
}

/** Passes the rows of a table on as JSON arrays of bounded size. @returns the number of rows */
async function forEachBatch(job: TableImport, write: (rows: string) => Promise<unknown>): Promise<number> {
  const { zip, table, onProgress } = job;
  const lines = createInterface({ input: await openEntry(zip, `${table.name}.ndjson`), crlfDelay: Infinity });
  let batch: string[] = [];
  let characters = 0;
  let count = 0;
  const flush = async () => {
    if (batch.length > 0) await write(`[${batch.join(',')}]`);
    count += batch.length;
    [batch, characters] = [[], 0];
    onProgress(table.name, count);
  };
  for await (const line of lines) {
    if (line === '') continue;
    batch.push(RESEALED_TABLES.has(table.name) ? await resealRow(job, line) : line);
    characters += line.length;
    if (batch.length >= MAX_BATCH_ROWS || characters >= MAX_BATCH_CHARACTERS) await flush();
  }
  await flush();
  return count;
}
