import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { runMaybeDry, UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { ScaleCache } from '../facts/facts.caches.js';
import type { Row } from '../people/person-row.js';
import { PersonWriter } from '../people/person.writer.js';
import { toLeadEvents, type LeadUpdate } from './lead-update-request.js';
import { readLeadRows } from './leads.source.js';
import { lockLead, updateLead } from './leads.queries.js';

/** A changed lead. */
export interface LeadResponse {
  /** Null in a dry run. */
  readonly lead: Row | null;
  readonly dry_run?: true;
}

/** Changes leads during outreach. */
@Injectable()
export class LeadUpdateService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly people: PersonWriter,
    private readonly scales: ScaleCache,
  ) {}

  /**
   * Changes columns of a lead and asserts the other fields of its person. A sent message or an opt-out is recorded as
   * an event with an external id of the lead, so that it is recorded once.
   * @throws HubError `lead_not_found`, `entity_not_found` for the contact, `identifier_conflict`.
   */
  async update(workspace: string, change: LeadUpdate, key?: IdempotencyKey): Promise<HandlerResponse<LeadResponse>> {
    const done = await runMaybeDry(this.work, workspace, change.dryRun, tx =>
      runOnce(tx, key, async () => {
        await this.write(tx, change);
        return new HandlerResponse({ id: change.id }, 200);
      }),
    );
    if (change.dryRun) return new HandlerResponse({ lead: null, dry_run: true }, 200);
    const options = { include: new Set<never>(), scale: this.scales.get(workspace) };
    const [lead] = await this.work.run(workspace, tx => readLeadRows(tx, [done.body.id], options));
    if (!lead) throw new HubError('lead_not_found');
    return new HandlerResponse({ lead }, 200, done.isReplay);
  }

  private async write(tx: Tx, change: LeadUpdate): Promise<void> {
    const { id, columns, contactId, person } = change;
    const entityId = await lockLead(tx, id);
    if (entityId === undefined) throw new HubError('lead_not_found');
    const observations = [...person.observations, ...toLeadEvents(change)];
    const input = { ...person, entityId: contactId ?? entityId, observations };
    const [match] = await this.people.match(tx, [input]);
    if (!match || match instanceof HubError) throw match ?? HubError.entityNotFound();
    const all = new Map([...columns, ...(contactId === undefined ? [] : [['entity_id', contactId] as const])]);
    await updateLead(tx, id, all);
    if (observations.length + person.identifiers.length === 0) return;
    const [outcome] = await this.people.write(tx, [input], [match]);
    if (outcome && 'error' in outcome) throw outcome.error;
  }
}
