import type { Json, TestResult } from '@rapport/plugin-sdk';
import type { Hub } from '../plugin.js';

/** Kinds of records that are synchronized, in the order in which they are read: what others refer to comes first. */
export const CRM_OBJECTS = ['companies', 'contacts', 'deals'] as const;
export type CrmObject = (typeof CRM_OBJECTS)[number];
/** Kinds of records that are entities of the graph. */
export const ENTITY_OBJECTS = ['companies', 'contacts'] as const satisfies readonly CrmObject[];
export type EntityObject = (typeof ENTITY_OBJECTS)[number];

/**
 * How the value of a field becomes one of the graph: `choice` by its label, `owner` and `company` by the name behind an ID.
 */
export type FieldType = 'text' | 'number' | 'choice' | 'owner' | 'company';

/** A field that is mapped unless `field_map` says otherwise, and the property that it states. */
export interface StandardField {
  readonly field: string;
  readonly property: string;
  readonly type: FieldType;
  /** Whether it is only read: what the team works with in the CRM, such as owner and lifecycle stage. Default: false. */
  readonly isReadOnly?: boolean;
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

/** A page of records that were deleted. */
export interface DeletedPage {
  readonly ids: readonly string[];
  /** Null after the last page. */
  readonly cursor: Json;
}

/** A field that the CRM has. */
export interface CrmField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  /** How its values become those of the graph, unless it is a standard field. */
  readonly valueType: FieldType;
  /** Labels of its choices by value; empty for other fields. */
  readonly choices: Readonly<Record<string, string>>;
  /** Whether the CRM computes it, so that it cannot be written. */
  readonly isReadOnly: boolean;
}

/** New values for a record. */
export interface RecordUpdate {
  readonly id: string;
  readonly values: Readonly<Record<string, string>>;
}

/** A contact to create. */
export interface NewContact {
  readonly email: string;
  readonly name: string | null;
  readonly values: Readonly<Record<string, string>>;
}

/** What became of a record that was written: as the CRM keeps it now, or why it was refused. */
export type WriteResult = { readonly record: CrmRecord } | { readonly error: string };

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

/** Kinds of activities, in the order in which they are read. */
export const ACTIVITY_TYPES = ['calls', 'emails', 'meetings'] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** What happened in a call, e-mail or meeting, in the words of the graph. */
export interface CrmActivity {
  readonly id: string;
  /** When the record was last changed, ISO 8601. */
  readonly updatedAt: string;
  /** Null if it says nothing about what happened, such as a call that rings. */
  readonly event: ActivityEvent | null;
  /** IDs of the contacts that it is about. */
  readonly contactIds: readonly string[];
  /** Of an e-mail that came in: address of the sender. Null if unknown. */
  readonly from: string | null;
}

/** An event of the timeline. */
export interface ActivityEvent {
  /** Such as `interaction.call_held`. */
  readonly property: string;
  /** When it happened, ISO 8601. */
  readonly at: string;
  /** One sentence, and details. */
  readonly value: { readonly description: string; readonly [detail: string]: Json };
}

/** A page of activities. */
export interface ActivityPage {
  readonly activities: readonly CrmActivity[];
  /** Null after the last page. */
  readonly cursor: Json;
}

/** Selects activities, as {@link PullRequest} does records. */
export interface ActivityRequest extends Pick<PullRequest, 'since' | 'cursor'> {
  readonly type: ActivityType;
}

/**
 * A CRM. Requests go through `hub.http` with `auth: 'connection'`. Refusals are thrown: `RetryLater` for limits,
 * `PermanentError` with what to do for tokens and permissions, and any other error for what may pass.
 */
export interface CrmAdapter {
  /** Name in the setting `provider`; also the system of external IDs, and the source `crm:<provider>`. */
  readonly provider: string;
  /** Fields that are read unless `field_map` says otherwise. */
  readonly standardFields: Readonly<Record<EntityObject, readonly StandardField[]>>;
  /** Field of a deal with the ID of its stage. */
  readonly stageField: string;
  /** Tests the token with requests that change nothing. */
  test(hub: Hub): Promise<TestResult>;
  /** Returns the ID of the account that the token is of; null if the CRM does not tell. */
  readAccount(hub: Hub): Promise<string | null>;
  /** Lists the fields of an object. */
  describe(hub: Hub, object: EntityObject): Promise<readonly CrmField[]>;
  /** Lists the stages of all pipelines of deals. */
  listStages(hub: Hub): Promise<readonly CrmStage[]>;
  /** Lists the owners of records, also those who have left. */
  listOwners(hub: Hub): Promise<readonly CrmOwner[]>;
  /**
   * Reads a page of records, the longest unchanged first if `since` is given. A CRM that does not know what has changed gives all of
   * them each time.
   */
  pull(hub: Hub, request: PullRequest): Promise<PullPage>;
  /** Reads a page of activities, the longest unchanged first if `since` is given. Absent if none are read of this CRM. */
  pullActivities?(hub: Hub, request: ActivityRequest): Promise<ActivityPage>;
  /** Lists records that were deleted and not restored, as long as the CRM keeps them. Absent if it does not list them. */
  listDeleted?(hub: Hub, object: EntityObject, cursor: Json): Promise<DeletedPage>;
  /** Reads up to {@link MAX_BATCH} records by ID; those that do not exist are missing. */
  readMany(hub: Hub, object: EntityObject, ids: readonly string[], fields: readonly string[]): Promise<CrmRecord[]>;
  /** Finds up to {@link MAX_BATCH} contacts by their addresses; those that do not exist are missing. */
  findContacts(hub: Hub, emails: readonly string[], fields: readonly string[]): Promise<CrmRecord[]>;
  /**
   * Writes values of up to {@link MAX_BATCH} records, and returns what became of each, in order. Repeating it does no harm.
   */
  update(hub: Hub, object: EntityObject, updates: readonly RecordUpdate[]): Promise<WriteResult[]>;
  /**
   * Creates up to {@link MAX_BATCH} contacts, and returns what became of each, in order. One whose address exists is updated,
   * so that repeating it makes no second one.
   */
  createContacts(hub: Hub, contacts: readonly NewContact[]): Promise<WriteResult[]>;
}

/** Most records that are read by ID or written at once. */
export const MAX_BATCH = 100;
