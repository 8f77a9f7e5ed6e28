import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { HubContext, Json, RouteRequest, FailureResponse, ResponseOf } from '@rapport/plugin-sdk';
import type { DateOrder } from '../mapping/dates.js';
import { type Field, isTakenName, REPEATABLE_FIELDS } from '../mapping/fields.js';
import type { MappingProposal } from '../mapping/propose.js';
import type { DecimalSign } from '../mapping/values.js';
import type { RecordSystem } from './candidate.js';
import type { ImportInput } from './import.run.js';
import { addRun, findImport, findUnfinishedRun, saveImport, saveMapping, type Target } from './import-store.js';
import { readyFile, toMapping } from './preview.js';
import { createNotFoundResponse, toErrorResponse } from './responses.js';
import { plugin } from '../plugin.js';

/** What a column states instead of what was proposed. */
interface ColumnChoice {
  readonly index: number;
  readonly field: Field | null;
  /** A property of the user's own; then the field is null. */
  readonly property?: string;
}

/** Body of the request that starts an import. */
export interface StartInput {
  /** Columns that state something else than proposed. */
  readonly columns?: readonly ColumnChoice[];
  readonly date_order?: DateOrder;
  readonly decimal?: DecimalSign;
  readonly target?: Target;
  /** Name of the lead list. */
  readonly list?: string;
  readonly record_system?: RecordSystem;
  readonly dry_run?: boolean;
  readonly save_mapping?: boolean;
}

/** Fields of which one must be mapped, by what the import writes. */
const IDENTIFYING: Readonly<Record<Target, readonly Field[]>> = {
  people: ['email', 'linkedin_url'],
  leads: ['email', 'linkedin_url'],
  notes: ['email', 'linkedin_url'],
  companies: ['company_domain', 'company_linkedin_url'],
};

/** Starts of imports. */
@Injectable()
export class StartRoutes {
  @plugin.OnRoute('start')
  async start(
    { params, body }: RouteRequest<StartInput>,
    hub: HubContext,
  ): Promise<ResponseOf<typeof plugin, 'start'>> {
    const record = await findImport(hub.store, params['id']!);
    if (!record) return createNotFoundResponse();
    if (!(await hub.files.info(record.file))) {
      return toErrorResponse('file_expired', 'The file has expired. Upload it again.', undefined, 409);
    }
    if (await findUnfinishedRun(hub, record, run => run.kind === 'undo' && !run.dry_run)) {
      return toErrorResponse(
        'undo_running',
        'The import is being undone. Wait for the end of that run.',
        undefined,
        409,
      );
    }
    const { target = 'people', dry_run = false, record_system = null, save_mapping = true } = body ?? {};
    const ready = await readyFile(hub, record);
    const chosen = applyChoices(ready.mapping, body ?? {});
    if ('error' in chosen) return chosen.error;
    const problem = findProblem(chosen.mapping, target, record_system) ?? findListProblem(body?.list, target);
    if (problem) return problem;
    const mapping = toMapping(chosen.mapping);
    const list = target === 'leads' ? (body?.list?.trim() ?? toListName(record.file_name)) : null;
    const input: ImportInput = {
      importId: record.id,
      file: record.file,
      format: ready.format,
      start: ready.start,
      mapping,
      target,
      recordSystem: record_system,
      fileDate: record.file_date,
      leadColumns: target === 'leads' ? listFreeColumns(chosen.mapping) : [],
      dryRun: dry_run,
      list,
    };
    const digest = createHash('sha256')
      .update(JSON.stringify([mapping, target, record_system, ...(list === null ? [] : [list])]))
      .digest('hex');
    const key = `${dry_run ? 'dry:' : ''}${record.id}:${digest.slice(0, 16)}`;
    const columns = ready.format.header;
    const run = await hub.runs.start('import', input as unknown as Json, { key, columns });
    const started_at = hub.clock.now().toISOString();
    await saveImport(hub.store, addRun(record, { id: run.id, kind: 'import', dry_run, target, started_at }));
    if (save_mapping && !dry_run) {
      await saveMapping(hub.store, ready.format.header, { ...mapping, saved_at: started_at });
    }
    return { status: 202, body: { run: { id: run.id, status: run.status, dry_run, target } } };
  }
}

const MAX_LIST_NAME_LENGTH = 200;

/** Returns the name of a list for a file: its own without the extension. */
function toListName(fileName: string): string {
  const name = fileName.replace(/\.[a-z0-9]{1,5}$/i, '').trim();
  return (name || 'Import').slice(0, MAX_LIST_NAME_LENGTH);
}

function findListProblem(list: string | undefined, target: Target): FailureResponse | undefined {
  if (list === undefined) return undefined;
  if (target !== 'leads') {
    return toErrorResponse(
      'invalid_request',
      '`list` needs the target `leads`. Send `target`, or leave it out.',
      'list',
    );
  }
  return list.trim() === '' ? toErrorResponse('invalid_request', '`list` is blank. Name the list.', 'list') : undefined;
}

/** Returns the named columns that state nothing. */
function listFreeColumns({ columns }: MappingProposal): ImportInput['leadColumns'] {
  return columns
    .filter(({ field, property, header }) => field === null && property === null && header.trim() !== '')
    .map(({ index, header }) => ({ index, header: header.trim().slice(0, MAX_LIST_NAME_LENGTH) }));
}

/** Applies what the user chose to the proposal. A field that is chosen for a column leaves the one that had it. */
function applyChoices(
  proposal: MappingProposal,
  given: StartInput,
): { mapping: MappingProposal } | { error: FailureResponse } {
  const choices = new Map<number, { readonly field: Field | null; readonly property: string | null }>();
  const taken = new Set<string>();
  for (const { index, field, property = null } of given.columns ?? []) {
    const detail = findChoiceProblem({ index, field, property }, proposal.columns.length, taken);
    if (detail !== undefined) return { error: toErrorResponse('invalid_request', detail, 'columns') };
    choices.set(index, { field, property });
    if (field !== null && !REPEATABLE_FIELDS.has(field)) taken.add(field);
    if (property !== null) taken.add(property);
  }
  const columns = proposal.columns.map(column => {
    const choice = choices.get(column.index);
    if (choice) return { ...column, ...choice, confidence: choice.field === null && choice.property === null ? 0 : 1 };
    const isLost = taken.has(column.property ?? column.field ?? '');
    return isLost ? { ...column, field: null, property: null, confidence: 0 } : column;
  });
  const { date_order = proposal.date_order, decimal = proposal.decimal } = given;
  return { mapping: { ...proposal, columns, date_order, decimal } };
}

/** @param taken fields and properties of earlier choices that only one column can state */
function findChoiceProblem(
  { index, field, property }: { index: number; field: Field | null; property: string | null },
  columns: number,
  taken: ReadonlySet<string>,
): string | undefined {
  if (index >= columns) return `\`columns\` names column ${index}; the file has the columns 0 to ${columns - 1}.`;
  if (field !== null && property !== null) return `Column ${index} has a field and a property. Send one of them.`;
  const name = property ?? field;
  if (name !== null && taken.has(name)) return `\`columns\` maps two columns to ${name}. Keep one.`;
  if (property === null || !isTakenName(property)) return undefined;
  return `${property} is no property of your own. Send it as \`field\`, or name the property otherwise.`;
}

function findProblem(
  { columns, date_order, has_ambiguous_dates }: MappingProposal,
  target: Target,
  recordSystem: RecordSystem | null,
): FailureResponse | undefined {
  const fields = new Set(columns.map(({ field }) => field));
  const hasRecord = target !== 'companies' && recordSystem !== null && fields.has('record_id');
  if (!hasRecord && !IDENTIFYING[target].some(field => fields.has(field))) {
    const names = IDENTIFYING[target].map(field => `\`${field}\``).join(' or ');
    return toErrorResponse(
      'no_identifier',
      `No column identifies a row. Map one to ${names} in \`columns\`.`,
      'columns',
    );
  }
  if (has_ambiguous_dates && date_order === null) {
    const detail = 'Dates such as 03/04/2025 can be two days. Send `date_order`, day_first or month_first.';
    return toErrorResponse('date_order_required', detail, 'date_order');
  }
  return undefined;
}
