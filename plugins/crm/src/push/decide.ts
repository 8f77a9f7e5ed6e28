import type { CurrentClaim } from '@rapport/plugin-sdk';
import type { WinRule } from '../mapping/mapping.js';

/** What is known of a field of a record and of the claim about its property. */
export interface FieldSituation {
  /** Undefined if nothing was ever stated. */
  readonly claim: CurrentClaim | undefined;
  /** The claim as the CRM would keep it; null if it cannot. */
  readonly ours: string | null;
  /** What the CRM has now; null for no value. */
  readonly theirs: string | null;
  /** Whether both values can be true. */
  readonly agrees: boolean;
  /** What was read last; undefined if the field is not read. */
  readonly lastRead: string | null | undefined;
  /** When the record was last changed in the CRM, ISO 8601. */
  readonly updatedAt: string;
  readonly wins: WinRule;
  readonly minConfidence: number;
  /** Source of what the CRM states, such as `crm:hubspot`. */
  readonly source: string;
  /** What somebody has decided about these two values. */
  readonly verdict: Verdict | null;
}

/** What somebody decides about a value: it is written to the CRM, or the CRM keeps its own. */
export type Verdict = 'write' | 'keep';

/** Why a field is written or not. */
export type Reason =
  | 'claim_wins'
  | 'claim_is_newer'
  | 'field_is_blank'
  | 'approved'
  | 'same_value'
  | 'no_claim'
  | 'stated_by_crm'
  | 'changed_in_crm'
  | 'not_safe'
  | 'below_min_confidence'
  | 'not_a_value_of_the_field'
  | 'crm_wins'
  | 'crm_is_newer'
  | 'field_has_a_value'
  | 'rejected'
  | 'needs_review';

/** What to do with a field, and why. */
export interface Decision {
  readonly action: 'write' | 'keep' | 'review';
  readonly reason: Reason;
}

/**
 * Decides whether the claim about a property is written to the CRM. What the CRM itself stated is never written back, a change
 * in the CRM that no sync has read yet is never overwritten, and an ended fact clears no field.
 */
export function decide(situation: FieldSituation): Decision {
  const { claim, ours, theirs, agrees, lastRead, minConfidence, source, verdict } = situation;
  if (!claim || claim.value === null) return keep('no_claim');
  if (ours === theirs || (theirs !== null && agrees)) return keep('same_value');
  if (lastRead !== undefined && lastRead !== theirs) return keep('changed_in_crm');
  if (claim.sources.every(each => each === source)) return keep('stated_by_crm');
  if (!claim.safe_to_use) return keep('not_safe');
  if (claim.confidence < minConfidence) return keep('below_min_confidence');
  if (ours === null) return keep('not_a_value_of_the_field');
  if (verdict !== null) return verdict === 'write' ? write('approved') : keep('rejected');
  return decideByRule(situation, claim);
}

function decideByRule({ theirs, updatedAt, wins }: FieldSituation, claim: CurrentClaim): Decision {
  if (wins === 'crm') return keep('crm_wins');
  if (theirs === null) return write('field_is_blank');
  if (wins === 'blanks') return keep('field_has_a_value');
  if (wins === 'review') return { action: 'review', reason: 'needs_review' };
  if (wins === 'claims') return write('claim_wins');
  return Date.parse(claim.observed_at) > Date.parse(updatedAt) ? write('claim_is_newer') : keep('crm_is_newer');
}

function keep(reason: Reason): Decision {
  return { action: 'keep', reason };
}

function write(reason: Reason): Decision {
  return { action: 'write', reason };
}
