import { Injectable } from '@nestjs/common';
import { valuesAgree } from '#domain/comparison/comparison-key.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { Claim } from '#domain/claims/claim.js';
import type { ObservationDraft } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ClaimsService, touchedClaimKeys } from '../claims/claims.service.js';
import { CORRECTION, MANUAL } from './author.js';
import type { ReconciledCall } from './record-call.js';

/** Tells what people correct from what they add: a correction survives the syncs that repeat the old value. */
@Injectable()
export class CorrectionsService {
  constructor(private readonly claims: ClaimsService) {}

  /**
   * Gives the statements of signed-in people the method `correction` where the claim has another value, or is contested
   * and they decide for its value; the others keep `manual`, and what was read from a text of theirs keeps its own. No
   * statement unless a person is among the authors, else one.
   */
  async mark(tx: Tx, calls: readonly ReconciledCall[]): Promise<readonly ReconciledCall[]> {
    const authored = calls.filter(({ call }) => call.request.author !== undefined);
    if (authored.length === 0) return calls;
    const keys = touchedClaimKeys(
      authored.map(({ entity, observations }) => ({ entityId: entity.canonicalId, observations })),
    );
    const [stored, now] = await Promise.all([this.claims.readStates(tx, keys), tx.now()]);
    const rules = this.claims.rulesOf(tx.workspace);
    const current = new Map(
      stored.map(({ entityId, property, state }) => [`${entityId} ${property}`, toClaim(rules, property, state, now)]),
    );
    return calls.map(each => {
      if (each.call.request.author === undefined) return each;
      const claimOf = ({ property }: ObservationDraft) => current.get(`${each.entity.canonicalId} ${property}`);
      const observations = each.observations.map(observation =>
        isCorrection(observation, claimOf(observation)) ? { ...observation, method: CORRECTION } : observation,
      );
      return { ...each, observations };
    });
  }
}

function isCorrection({ kind, property, value, method }: ObservationDraft, claim: Claim | undefined): boolean {
  const current = claim?.value ?? null;
  if (kind !== 'state' || method !== MANUAL || current === null) return false;
  if (claim?.epistemic_class === 'contested') return true;
  return value === null || value === undefined || !valuesAgree(property, current, value);
}
