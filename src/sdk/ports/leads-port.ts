import type { Json } from '../schema.js';

/**
 * A lead list: an existing one by its ID, or one by its name, which is created if there is none of this name.
 * @example { name: 'Webinar November' }
 */
export type LeadListRef = { readonly id: string } | { readonly name: string };

/**
 * A person to add to a list.
 * @example { entity_id: result.entity_id, fields: { 'Booth visited': 'yes' } }
 */
export interface LeadRow {
  /** ID of the person, from `people.upsert` or `findMany`. */
  readonly entity_id: string;
  /** Values that belong to the lead and state nothing about the person, such as columns without a property. */
  readonly fields?: Readonly<Record<string, Json>>;
}

/**
 * Options of `leads.add`.
 * @example { source: 'csv:webinar', dryRun: true }
 */
export interface AddLeadsOptions {
  /** Source of a list that is created. Default: the plugin's id. */
  readonly source?: string;
  /** Returns what the call would do, and writes nothing. Default: false. */
  readonly dryRun?: boolean;
}

/**
 * Result of one row, in the order of the rows.
 * @example results.filter(result => 'added' in result && result.added).length
 */
export type LeadRowResult =
  | {
      /** ID of the lead; null in a dry run that would add it. */
      readonly lead_id: string | null;
      /** False if the person was in the list before, or by an earlier row. */
      readonly added: boolean;
    }
  | { readonly error: string };

/**
 * Result of `leads.add`.
 * @example const { list_id, results } = await hub.graph.leads.add({ name: 'Webinar' }, leads);
 */
export interface AddLeadsResult {
  /** ID of the list; null in a dry run that would create it. */
  readonly list_id: string | null;
  readonly results: readonly LeadRowResult[];
}

/**
 * Access to leads.
 * @example await hub.graph.leads.add({ name: 'Webinar November' }, people.map(({ entity_id }) => ({ entity_id })));
 */
export interface LeadsPort {
  /**
   * Adds people to a lead list and scores them; at most 1000 per call. Nobody is in a list twice. An unknown person does
   * not affect the others.
   * @throws PermanentError for more people, for an unknown list, or for a name of more than 200 characters
   */
  add(list: LeadListRef, leads: readonly LeadRow[], options?: AddLeadsOptions): Promise<AddLeadsResult>;
}
