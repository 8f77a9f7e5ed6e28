import type { paths } from '../api/schema.d.ts';
import type { Schemas } from '../api/schemas.ts';

type Body<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Content } } } };
}
  ? Content
  : never;

/** The state of the sync. */
export type SyncStatus = Body<'/v2/plugins/crm/status'>;
/** Changes of the CRM that wait for an approval. */
export type MassChange = NonNullable<SyncStatus['mass_change']>;
/** A value that waits for a decision. */
export type Review = Body<'/v2/plugins/crm/reviews'>['reviews'][number];
/** A field of the CRM, and how it is synced. */
export type SyncField = Body<'/v2/plugins/crm/fields/{object}'>['fields'][number];
/** A value that travelled. */
export type Change = Body<'/v2/plugins/crm/changes'>['changes'][number];
/** Numbers of records by what became of them. */
export type Counts = Readonly<Record<string, number>>;
/** A run of the sync. */
export type SyncRun = Schemas['Run'];

/** What a sync or a dry run returned at its end. */
export interface SyncResult {
  readonly dry_run: boolean;
  readonly counts: Readonly<Record<string, Counts>>;
  readonly push: Counts | null;
  readonly samples?: readonly PullSample[];
  readonly push_samples?: MassChange['samples'];
}

/** What a record of the CRM would state. */
export interface PullSample {
  readonly object: string;
  readonly id: string;
  readonly name: string | null;
  readonly outcome: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Returns the result of a run that ended. */
export function readResult({ result }: SyncRun): SyncResult | null {
  return result as SyncResult | null;
}
