import { Injectable } from '@nestjs/common';
import { projectClaim } from '#domain/claims/project-claim.js';
import type { ClaimRules } from '#domain/claims/rules.js';
import { type Activity, computeActivity } from '#domain/observation/interaction-events.js';
import type { Tx } from '#kernel/db/transaction.js';
import type { StoredClaim } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import type { PointInTime } from '../lists/as-of.js';
import { groupStatementsByClaim } from '../observations/claim-rebuild.js';
import { readStatementHistory } from '../score/evidence.queries.js';
import type { PersonClaim } from './people.queries.js';
import type { HistoricalFacts } from './person-reader.js';

/** Reads people as of a past time, with claims folded again from the log. */
@Injectable()
export class HistoricalPeopleService {
  constructor(private readonly claims: ClaimsService) {}

  /** Returns facts of these people as of a time, by canonical id. One statement. Uses the merges of today. */
  async read(tx: Tx, ids: readonly string[], { asOf, knownAt }: PointInTime): Promise<HistoricalFacts> {
    const now = await tx.now();
    const rules = this.claims.rulesOf(tx.workspace);
    const horizon = { asOf: asOf ?? now, knownAt: knownAt ?? now };
    const log = ids.length === 0 ? [] : await readStatementHistory(tx, ids, null, horizon);
    const folded = groupStatementsByClaim(log).map(each => this.claims.rebuild(tx.workspace, each, horizon.asOf));
    const names = this.claims.deriveNames(folded, [], horizon.asOf);
    const events = Map.groupBy(log, row => row.clusterId);
    const activity = (id: string): Activity => computeActivity(events.get(id) ?? [], horizon.asOf);
    return {
      now: horizon.asOf,
      knownAt,
      claims: folded.flatMap(claim => toPersonClaims(rules, claim)),
      hasInbound: id => activity(id).lastInbound !== null,
      entityOf: id => {
        const { first, last } = activity(id);
        return { name: names.get(id) ?? null, first_activity_at: first, last_activity_at: last };
      },
    };
  }
}

function toPersonClaims(rules: ClaimRules, { entityId, property, state }: StoredClaim): PersonClaim[] {
  const claim = projectClaim(rules, property, state);
  if (!claim) return [];
  const { value, confidence, epistemicClass, supportedAt, tenure } = claim;
  const times = { supported_at: supportedAt, updated_at: supportedAt, tenure };
  return [{ entity_id: entityId, property, value, confidence, epistemic_class: epistemicClass, ...times }];
}
