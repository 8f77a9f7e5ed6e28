import { toCsvLine } from '#domain/csv/csv-cell.js';
import { canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import type { RawQuery } from './list-parameters.js';
import { type ListFields, type ListRequest, readListRequest } from './list-request.js';

/** A validated export of a list. */
export interface ListExportRequest {
  /** The first page of the list. */
  readonly list: ListRequest;
  readonly format: 'csv' | 'ndjson';
  /** Names of the columns, in order. */
  readonly columns: readonly string[];
  /** The columns whose confidence, freshness and source to add, with their properties. Empty if not requested. */
  readonly evidence: ReadonlyMap<string, string>;
}

/** A file that is being written. */
export interface ListExport {
  readonly content: AsyncGenerator<string>;
  readonly type: string;
  readonly extension: string;
}

/** A row: plain values by field. */
type Row = Readonly<Record<string, unknown>>;

/** A page of rows. Each has the field `entity_id`. */
export interface ExportPage {
  readonly rows: readonly Row[];
  readonly next_cursor: string | null;
}

/** What an export adds to a claim of a row. */
interface Evidence {
  readonly confidence?: number;
  readonly freshness?: string;
  readonly source?: string;
}

const PAGE_SIZE = 500;
/** Time limit of a page, in milliseconds; the export as a whole may take longer than a request. */
const PAGE_TIMEOUT_MS = 10_000;
/** Parameters of lists that choose a page. */
const PAGING_PARAMETERS = ['limit', 'cursor', 'offset', 'page', 'count'] as const;
/** Fields that repeat others under another name or as an object. They are exported only when named in `fields`. */
const REPEATED_FIELDS: ReadonlySet<string> = new Set([
  'account',
  'job_title',
  'pipeline_stage',
  'contact_id',
  'lead_list_id',
]);
/** Media types of exports by format. */
export const MEDIA_TYPES = { csv: 'text/csv; charset=utf-8', ndjson: 'application/x-ndjson; charset=utf-8' } as const;
const EVIDENCE_PARTS = ['confidence', 'freshness', 'source'] as const;

/**
 * Reads the query of an export: that of the list without paging, and `format`. Rows are sorted by creation unless
 * `sort` says otherwise, so that rows that change meanwhile keep their place.
 * @throws HubError as `readListRequest`; `invalid_request` for a paging parameter, an unknown format and
 *   `include=claims`.
 */
export function readListExport(listFields: ListFields, query: RawQuery, now: Instant): ListExportRequest {
  const { format = 'csv', ...rest } = query;
  if (format !== 'csv' && format !== 'ndjson') throw invalidParameter('format', 'format must be csv or ndjson.');
  const paging = PAGING_PARAMETERS.find(name => query[name] !== undefined);
  if (paging)
    throw invalidParameter(paging, `${paging} cannot be sent to an export, which returns all rows; leave it out.`);
  const list = readListRequest(listFields, { sort: '-created_at', ...rest, limit: String(PAGE_SIZE) }, now);
  if (list.include.has('claims'))
    throw invalidParameter('include', 'include must be epistemics; name the properties to export in fields.');
  const columns = list.fields ?? [...listFields.fields].filter(name => !REPEATED_FIELDS.has(name));
  const claims = list.include.has('epistemics') ? columns.filter(name => isClaim(listFields, name)) : [];
  return {
    list: { ...list, fields: list.fields && [...list.fields, 'entity_id'] },
    format,
    columns,
    evidence: new Map(claims.map(name => [name, canonicalProperty(name)])),
  };
}

/**
 * Exports all rows of a list, page by page, each in a transaction of its own. The first page is read before it
 * resolves, so that errors become a response. With evidence, CSV has the columns `<name>_confidence`,
 * `<name>_freshness` and `<name>_source` after a column that is a claim, and NDJSON has them in `epistemics`. A past
 * list has no sources.
 */
export async function exportList(
  work: UnitOfWork,
  workspace: string,
  request: ListExportRequest,
  readPage: (tx: Tx, list: ListRequest) => Promise<ExportPage>,
): Promise<ListExport> {
  const read = (cursor?: string) =>
    work.run(
      workspace,
      async tx => {
        const page = await readPage(tx, { ...request.list, cursor });
        return { ...page, sources: await readSources(tx, request, page.rows) };
      },
      { budgetMs: PAGE_TIMEOUT_MS },
    );
  const first = await read();
  return { content: write(request, first, read), type: MEDIA_TYPES[request.format], extension: request.format };
}

async function* write(
  { format, columns, evidence, list }: ListExportRequest,
  first: ExportPage & { readonly sources: ReadonlyMap<string, string> },
  read: (cursor: string) => Promise<typeof first>,
): AsyncGenerator<string> {
  if (format === 'csv') yield toCsvLine(columns.flatMap(name => [name, ...evidenceColumns(evidence, name)]));
  for (let page = first; ; page = await read(page.next_cursor!)) {
    const lines = page.rows.map(row => {
      const known = new Map([...evidence].map(([name, property]) => [name, evidenceOf(row, property, page.sources)]));
      if (format === 'csv') return toCsvLine(columns.flatMap(name => [row[name], ...evidenceCells(known.get(name))]));
      const values = Object.fromEntries(columns.map(name => [name, row[name]]));
      const about = list.include.has('epistemics') && { epistemics: Object.fromEntries(known) };
      return `${JSON.stringify({ ...values, ...about })}\n`;
    });
    if (lines.length > 0) yield lines.join('');
    if (page.next_cursor === null) return;
  }
}

function evidenceColumns(evidence: ListExportRequest['evidence'], name: string): string[] {
  return evidence.has(name) ? EVIDENCE_PARTS.map(part => `${name}_${part}`) : [];
}

function evidenceCells(evidence: Evidence | undefined): unknown[] {
  return evidence ? EVIDENCE_PARTS.map(part => evidence[part]) : [];
}

/** Returns whether a column shows a claim: a property that is no field of the rows, or one that every row shows. */
function isClaim({ fields, properties }: ListFields, column: string): boolean {
  return !fields.has(column) || properties.includes(canonicalProperty(column));
}

function evidenceOf(row: Row, property: string, sources: ReadonlyMap<string, string>): Evidence {
  const known = (row['epistemics'] as Record<string, Evidence> | undefined)?.[property];
  if (!known) return {};
  const source = sources.get(sourceKey(String(row['entity_id']), property));
  return { ...known, ...(source !== undefined && { source }) };
}

const sourceKey = (entityId: string, property: string) => `${entityId} ${property}`;

/** Reads the source of the newest observation that supports each claim of the rows. */
async function readSources(
  tx: Tx,
  { evidence, list }: ListExportRequest,
  rows: readonly Row[],
): Promise<ReadonlyMap<string, string>> {
  if (evidence.size === 0 || rows.length === 0 || list.past) return new Map();
  const found = await tx.query<{ entity_id: string; property: string; source: string }>(
    `SELECT c.entity_id, c.property, o.source
     FROM claims c JOIN observations o ON o.workspace_id = c.workspace_id AND o.id = c.top_observation_id
     WHERE c.workspace_id = $1 AND c.entity_id = ANY ($2::uuid[]) AND c.property = ANY ($3::text[])`,
    [tx.workspace, [...new Set(rows.map(row => row['entity_id']))], [...evidence.values()]],
  );
  return new Map(found.map(({ entity_id, property, source }) => [sourceKey(entity_id, property), source]));
}

function invalidParameter(field: string, message: string): HubError {
  return HubError.invalidRequest([{ field, message }]);
}
