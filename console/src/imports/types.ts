import type { paths } from '../api/schema.d.ts';

type ImportPath = '/v2/plugins/csv-import/imports/{id}';

/** An uploaded file with what was seen in it, and its runs. */
export type FileImport = paths[ImportPath]['get']['responses']['200']['content']['application/json']['import'];
/** A run of an import: a dry run, the import itself, or its undoing. */
export type ImportRun = FileImport['runs'][number];
/** How an import is started. */
export type StartBody = NonNullable<
  paths['/v2/plugins/csv-import/imports/{id}/start']['post']['requestBody']
>['content']['application/json'];
/** What a column can state; null leaves it out. */
export type ColumnField = NonNullable<StartBody['columns']>[number]['field'];

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

/** Returns whether a run still works. */
export function isRunning({ status }: ImportRun): boolean {
  return ['queued', 'running', 'waiting', 'pausing', 'cancelling'].includes(status);
}
