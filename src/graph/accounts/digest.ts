import { keyActivityOf } from '#domain/context/activity.js';
import { committeeOf, stakeholderOf } from '#domain/context/committee.js';
import { type Intent, PRESETS, USUAL_ACTIVITY } from '#domain/context/intents.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { AccountDigest } from './account.js';
import type { EntityRow } from './accounts.queries.js';
import { type Horizon, readActivitySummary, readNewestEvents } from './activity.queries.js';
import { memberOf, type PersonRow } from './company-people.queries.js';

/** Events among which the ones that matter are chosen. */
const NEWEST = 200;

/** What an account says in short. Two statements in one round trip. @param people of the company that it is, or belongs to. */
export async function readDigest(
  tx: Tx,
  entity: EntityRow,
  people: readonly PersonRow[],
  horizon: Horizon,
  intent: Intent | undefined,
): Promise<AccountDigest> {
  const [events, activity_summary] = await Promise.all([
    readNewestEvents(tx, entity.id, horizon, NEWEST),
    readActivitySummary(tx, entity.id, horizon),
  ]);
  const count = intent === undefined ? USUAL_ACTIVITY : PRESETS[intent].activity;
  const members = people.map(memberOf);
  const company = entity.type === 'company' ? entity.name : (entity.company_name ?? entity.company_domain);
  return {
    key_activity: keyActivityOf(events, count, horizon.asOf),
    activity_summary,
    stakeholders: members.filter(({ entityId }) => entityId !== entity.id).map(stakeholderOf),
    committee: committeeOf(company, members),
  };
}
