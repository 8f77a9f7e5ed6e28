import type { AddLeadsOptions, AddLeadsResult, LeadListRef, LeadRow, LeadsPort } from '../ports/leads-port.js';
import type { Json } from '../schema.js';
import { PermanentError } from '../errors.js';

const MAX_LEADS = 1000;

/**
 * A lead list in memory.
 * @example expect(hub.graph.leads.lists).toMatchObject([{ name: 'Webinar', leads: [{ entity_id }] }]);
 */
export interface TestLeadList {
  readonly id: string;
  readonly name: string;
  /** In the order in which they were added. */
  readonly leads: {
    readonly id: string;
    readonly entity_id: string;
    readonly fields: Readonly<Record<string, Json>>;
    /** Source that added the lead. */
    readonly source: string;
  }[];
}

/**
 * Lead lists in memory. Nobody is in a list twice, as in the hub.
 * @example hub.graph.leads.lists
 */
export class TestLeads implements LeadsPort {
  /** All lists, in the order in which they were created. */
  readonly lists: TestLeadList[] = [];

  /** @param exists whether the graph has an entity of this ID */
  constructor(
    private readonly plugin: string,
    private readonly exists: (id: string) => boolean,
  ) {}

  /** Returns how many leads a source added. */
  countSource(source: string): number {
    return this.lists.flatMap(({ leads }) => leads).filter(lead => lead.source === source).length;
  }

  /** Removes the leads that a source added. */
  removeSource(source: string): void {
    for (const { leads } of this.lists) leads.splice(0, leads.length, ...leads.filter(lead => lead.source !== source));
  }

  async add(
    ref: LeadListRef,
    leads: readonly LeadRow[],
    { dryRun = false, source = this.plugin }: AddLeadsOptions = {},
  ): Promise<AddLeadsResult> {
    if (leads.length > MAX_LEADS) throw new PermanentError(`At most ${MAX_LEADS} leads go into one call.`);
    const known = this.lists.find(list => ('id' in ref ? list.id === ref.id : list.name === ref.name));
    if (!known && 'id' in ref) throw new PermanentError('No lead list has this ID.');
    const name = 'name' in ref ? ref.name : known!.name;
    const list = known ?? { id: `list-${this.lists.length + 1}`, name, leads: [] };
    const written = dryRun ? { ...list, leads: [...list.leads] } : list;
    if (!known && !dryRun) this.lists.push(list);
    const results = leads.map(({ entity_id, fields = {} }) => {
      if (!this.exists(entity_id)) return { error: 'No entity has this ID.' };
      const before = written.leads.find(lead => lead.entity_id === entity_id);
      if (before) return { lead_id: before.id, added: false };
      const id = `lead-${written.leads.length + 1}`;
      written.leads.push({ id, entity_id, fields, source });
      return { lead_id: dryRun ? null : id, added: true };
    });
    return { list_id: dryRun && !known ? null : list.id, results };
  }
}
