import type { paths } from '../api/schema.d.ts';

type ImportPath = '/v2/plugins/csv-import/imports/{id}';

/** An uploaded file with what was seen in it, and its runs. */
export type FileImport = paths[ImportPath]['get']['responses']['200']['content']['application/json']['import'];
/** A run of an import: a dry run, the import itself, or its undoing. */
export type ImportRun = FileImport['runs'][number];
/** What a run counted. */
export type ImportResult = NonNullable<ImportRun['result']>;
/** What a row of a dry run would do. */
export type Outcome = keyof NonNullable<ImportResult['outcomes']>;
/** A row of a dry run. */
export type ForeseenRow =
  paths['/v2/plugins/csv-import/imports/{id}/rows']['get']['responses']['200']['content']['application/json']['rows'][number];
/** How a file is read otherwise. */
export type ChangeBody = NonNullable<paths[ImportPath]['patch']['requestBody']>['content']['application/json'];

/** What rows would do, in the order in which it is shown. */
export const OUTCOMES = [
  'created',
  'adding',
  'contradicting',
  'unchanged',
  'repeated',
  'rejected',
] as const satisfies readonly Outcome[];

/** How an import is started. */
export type StartBody = NonNullable<
  paths['/v2/plugins/csv-import/imports/{id}/start']['post']['requestBody']
>['content']['application/json'];
/** What a column states instead of what was proposed. */
export type ColumnChoice = NonNullable<StartBody['columns']>[number];
/** What a column can state; null leaves it out. */
export type ColumnField = ColumnChoice['field'];
/** A system whose record IDs identify people. */
export type RecordSystem = NonNullable<StartBody['record_system']>;

/** Systems whose record IDs identify people. */
export const RECORD_SYSTEMS = ['hubspot', 'pipedrive', 'apollo', 'attio'] as const satisfies readonly RecordSystem[];

/** What the rows of a file can become. */
export const TARGETS = ['people', 'leads', 'companies', 'notes'] as const;
export type Target = (typeof TARGETS)[number];

/** Fields that a column can state, in the order in which they are offered. */
export const COLUMN_FIELDS = [
  'email',
  'name',
  'first_name',
  'last_name',
  'title',
  'company',
  'company_domain',
  'linkedin_url',
  'phone',
  'city',
  'country',
  'location',
  'seniority',
  'department',
  'headline',
  'stage',
  'owner',
  'lead_score',
  'email_status',
  'do_not_contact',
  'unsubscribed',
  'keywords',
  'record_id',
  'name_prefix',
  'middle_name',
  'phone_country_code',
  'company_linkedin_url',
  'company_industry',
  'company_headcount',
  'company_revenue',
  'note',
  'note_date',
  'connected_on',
  'observed_at',
] as const satisfies readonly NonNullable<ColumnField>[];

/** Encodings in which a file can be read. */
export const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1257',
] as const satisfies readonly NonNullable<ChangeBody['encoding']>[];

const OF_PERSON: ReadonlySet<ColumnField> = new Set(['email', 'linkedin_url', 'record_id']);
const OF_COMPANY: ReadonlySet<ColumnField> = new Set(['company_domain', 'company_linkedin_url']);

/** Returns the fields that identify a row. */
export function listIdentifying(target: Target): ReadonlySet<ColumnField> {
  return target === 'companies' ? OF_COMPANY : OF_PERSON;
}

/** Returns whether a run still works. */
export function isRunning({ status }: ImportRun): boolean {
  return status === 'queued' || status === 'running';
}
