import { selectKeyActivity } from '#domain/context/key-activity.js';
import { buildCommittee, toStakeholder } from '#domain/context/committee.js';
import { type Intent, PRESETS, DEFAULT_KEY_ACTIVITY_COUNT } from '#domain/context/intents.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { AccountSummary } from './accounts.presenter.js';
import type { AccountEntityRow } from './accounts.queries.js';
import { type Horizon, readActivitySummary, readNewestEvents } from './activity.queries.js';
import { toCommitteeMember, type CompanyPersonRow } from './company-people.queries.js';

/** Newest events from which the key activity is selected. */
const MAX_EVENTS = 200;

/**
 * Reads the summary of an account with two statements in one round trip.
 * @param people of the company that the entity is or belongs to.
 */
export async function readSummary(
  tx: Tx,
  entity: AccountEntityRow,
  people: readonly CompanyPersonRow[],
  horizon: Horizon,
  intent: Intent | undefined,
): Promise<AccountSummary> {
  const [events, activity_summary] = await Promise.all([
    readNewestEvents(tx, entity.id, horizon, MAX_EVENTS),
    readActivitySummary(tx, entity.id, horizon),
  ]);
  const count = intent === undefined ? DEFAULT_KEY_ACTIVITY_COUNT : PRESETS[intent].activity;
  const members = people.map(toCommitteeMember);
  const company = entity.type === 'company' ? entity.name : (entity.company_name ?? entity.company_domain);
  return {
    key_activity: selectKeyActivity(events, count, horizon.asOf),
    activity_summary,
    stakeholders: members.filter(({ entityId }) => entityId !== entity.id).map(toStakeholder),
    committee: buildCommittee(company, members),
  };
}
