import type { Json, TestResult } from '@rapport/plugin-sdk';
import type { Hub } from '../plugin.js';

/** Kinds of records that are synchronized, in the order in which they are read: what others refer to comes first. */
export const CRM_OBJECTS = ['companies', 'contacts', 'deals'] as const;
export type CrmObject = (typeof CRM_OBJECTS)[number];
/** Kinds of records that are entities of the graph. */
export const ENTITY_OBJECTS = ['companies', 'contacts'] as const satisfies readonly CrmObject[];
export type EntityObject = (typeof ENTITY_OBJECTS)[number];

/** How the value of a field becomes one of the graph. Default: as it is. */
export type FieldType = 'text' | 'number' | 'choice' | 'owner';

/** A field of the CRM, and the property that it states. */
export interface FieldMapping {
  readonly field: string;
  readonly property: string;
  readonly type: FieldType;
}

/** A record as the CRM has it. */
export interface CrmRecord {
  readonly id: string;
  /** When it was last changed, ISO 8601. */
  readonly updatedAt: string;
  /** Of a contact: full name. Of a company: its name. */
  readonly name: string | null;
  /** Of a contact: all addresses, the main one first. */
  readonly emails: readonly string[];
  /** Of a company. */
  readonly domain: string | null;
  /** IDs of records that were merged into this one. */
  readonly mergedIds: readonly string[];
  /** Values of the fields that were requested. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Of a deal: records that it is about. */
  readonly links: readonly { readonly object: EntityObject; readonly id: string }[];
}

/** Selects records. */
export interface PullRequest {
  readonly object: CrmObject;
  readonly fields: readonly string[];
  /** Only records that were changed at or after this time, ISO 8601; null for all. */
  readonly since: string | null;
  /** `cursor` of the page before; null for the first page. */
  readonly cursor: Json;
}

/** A page of records. A record can come twice, and one that changes meanwhile comes again later. */
export interface PullPage {
  readonly records: readonly CrmRecord[];
  /** Null after the last page. */
  readonly cursor: Json;
}

/** A field that the CRM has. */
export interface CrmField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  /** Labels of its choices by value; empty for other fields. */
  readonly choices: Readonly<Record<string, string>>;
}

/** A stage of a pipeline. */
export interface CrmStage {
  readonly id: string;
  readonly label: string;
  readonly type: 'open' | 'won' | 'lost';
}

/** A colleague who is responsible for records. */
export interface CrmOwner {
  readonly id: string;
  readonly name: string;
}

/**
 * A CRM. Requests go through `hub.http` with `auth: 'connection'`. Refusals are thrown: `RetryLater` for limits,
 * `PermanentError` with what to do for tokens and permissions, and any other error for what may pass.
 */
export interface CrmAdapter {
  /** Name in the setting `provider`; also the system of external IDs, and the source `crm:<provider>`. */
  readonly provider: string;
  /** Fields that are read unless `field_map` says otherwise. */
  readonly standardFields: Readonly<Record<EntityObject, readonly FieldMapping[]>>;
  /** Field of a deal with the ID of its stage. */
  readonly stageField: string;
  /** Tests the token with requests that change nothing. */
  test(hub: Hub): Promise<TestResult>;
  /** Lists the fields of an object. */
  describe(hub: Hub, object: CrmObject): Promise<readonly CrmField[]>;
  /** Lists the stages of all pipelines of deals. */
  listStages(hub: Hub): Promise<readonly CrmStage[]>;
  /** Lists the owners of records, also those who have left. */
  listOwners(hub: Hub): Promise<readonly CrmOwner[]>;
  /** Reads a page of records, the longest unchanged first if `since` is given. */
  pull(hub: Hub, request: PullRequest): Promise<PullPage>;
}
