import type { ObservationConflict } from './graph-port.js';
import type { Json } from '../schema.js';

/**
 * Selects a page of people.
 * @example { after: page.next ?? undefined, limit: 500 }
 */
export interface PeopleListOptions {
  /** `next` of the previous page. Default: the first page. */
  readonly after?: string;
  /** 1 to 1000. Default: 100. */
  readonly limit?: number;
}

/**
 * A page of people.
 * @example for (let after: string | null = ''; after !== null;) ({ people, next: after } = await hub.graph.people.list({ after }));
 */
export interface PersonListPage {
  readonly people: readonly PersonSummary[];
  /** Value of `after` for the next page; null on the last page. */
  readonly next: string | null;
}

/**
 * A person with all e-mail addresses, oldest first.
 * @example const [email] = person.emails;
 */
export interface PersonSummary {
  readonly entity_id: string;
  readonly name: string | null;
  readonly emails: readonly string[];
}

/**
 * A person; `email`, `linkedin_url`, `external_id` or `phone` is required. Other keys are properties and recorded as
 * states.
 * @example { external_id: 'c-501', email: 'ada@acme.io', name: 'Ada Byron', title: 'CFO', company: 'Acme', observed_at: record.updatedAt }
 */
export interface PersonInput {
  /**
   * ID of the record at the provider, an identifier of the person. The hub then derives the key of each fact from plugin,
   * record, property, value and time, so that a changed value is appended and a repeat is a duplicate.
   */
  readonly external_id?: string;
  /** Time at which the row was true, ISO 8601. Default: `observedAt` of the options. */
  readonly observed_at?: string;
  readonly email?: string;
  /** Further addresses. */
  readonly emails?: readonly string[];
  /** In international form, or of `default_country` of the workspace profile. */
  readonly phone?: string;
  readonly linkedin_url?: string;
  readonly name?: string;
  readonly title?: string;
  readonly company?: string;
  readonly [property: string]: Json | undefined;
}

/**
 * Options of `upsert`.
 * @example { importId: 'imp-7', source: 'crm:hubspot', system: 'hubspot' }
 */
export interface UpsertOptions {
  /** ID of the import. If set, the hub publishes `contact.imported` for every row, new or existing. */
  readonly importId?: string;
  /** Default: the plugin's id. */
  readonly source?: string;
  /**
   * Name of the system whose IDs `external_id` holds, in lower case, such as `hubspot`: afterwards
   * `{ external: { system, id } }` identifies the entity. Default: the plugin's id.
   */
  readonly system?: string;
  /**
   * Time at which the rows were true, ISO 8601. A repeated call with the same values, time and source changes nothing.
   * Default: now.
   */
  readonly observedAt?: string;
  /** Returns what the call would do, and writes nothing. Default: false. */
  readonly dryRun?: boolean;
}

/**
 * Result of one row, in the order of the rows.
 * @example results.filter(result => 'error' in result)
 */
export type UpsertResult =
  | {
      readonly entity_id: string;
      readonly created: boolean;
      /** Form of the identifier that matched, such as `email` or `external`; null for a new person. */
      readonly matched_by: string | null;
      /** Number of appended facts. */
      readonly recorded: number;
      /** Number of facts that were recorded before, from the same record. */
      readonly duplicates: number;
      /** Facts whose key exists with other content. */
      readonly conflicts: readonly ObservationConflict[];
      /** Fields that were ignored, such as those that hold a placeholder like `N/A`; left out if there are none. */
      readonly warnings?: readonly { readonly field: string; readonly message: string }[];
    }
  | { readonly error: string; readonly field?: string };

/**
 * A company; `domain`, `linkedin_url` or `external_id` is required. Other keys are properties and recorded as states.
 * @example { external_id: 'a-77', domain: 'acme.io', name: 'Acme', industry: 'Software', employees: 120 }
 */
export interface CompanyInput {
  /**
   * ID of the record at the provider, an identifier of the company. The hub then derives the key of each fact from
   * plugin, record, property, value and time, so that a changed value is appended and a repeat is a duplicate.
   */
  readonly external_id?: string;
  /** Time at which the row was true, ISO 8601. Default: `observedAt` of the options. */
  readonly observed_at?: string;
  readonly domain?: string;
  /** Further domains. */
  readonly domains?: readonly string[];
  /** A company page. */
  readonly linkedin_url?: string;
  readonly name?: string;
  readonly [property: string]: Json | undefined;
}

/**
 * Options of `companies.upsert`.
 * @example { observedAt: page.updatedAt, dryRun: true }
 */
export type CompanyUpsertOptions = Omit<UpsertOptions, 'importId'>;

/**
 * Access to companies.
 * @example await hub.graph.companies.upsert([{ domain: 'acme.io', name: 'Acme', industry: 'Software' }]);
 */
export interface CompaniesPort {
  /**
   * Creates or updates companies, matched by their identifiers; at most 1000 per call. An invalid row does not affect
   * the others. If the identifiers of a row belong to several companies, these are merged, or a merge is proposed.
   */
  upsert(companies: readonly CompanyInput[], options?: CompanyUpsertOptions): Promise<readonly UpsertResult[]>;
}
