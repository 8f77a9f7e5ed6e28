import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Claim } from '#domain/claims/claim.js';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { PropertyState } from '#domain/claims/property-state.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { canonicalEmailStatus, canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import { describeVerification } from '#domain/verify/verification-note.js';
import { recommend } from '#domain/verify/recommend.js';
import { isClaimMatch, isSafe, decideVerdict } from '#domain/verify/verdict.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/handler-response.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { runOnce } from '#kernel/idempotency/idempotency-store.js';
import type { ClaimKey } from '../claims/claims.queries.js';
import { readStates } from '../claims/states.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { lockEntities } from '../identity/entity-locks.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { HistoryService } from '../observations/history.service.js';
import { RefreshRequestService } from './refresh-request.service.js';
import { toUnknownClaim, type VerifyResponse, type VerifiedClaim } from './verify.presenter.js';
import type { VerifyRequest } from './verify-request.js';

/** A claim as it is kept, and as the log gives it. */
interface ClaimComparison {
  readonly before: Claim | undefined;
  readonly after: Claim | undefined;
  readonly state: PropertyState | undefined;
  readonly differs: boolean;
}

/** Who asks, and what that key may. */
type VerifyCaller = Pick<Caller, 'workspaceId' | 'scopes'>;

/** Looks at single facts again, in the log itself. Never writes a claim. */
@Injectable()
export class VerifyService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly history: HistoryService,
    private readonly claims: ClaimsService,
    private readonly refreshes: RefreshRequestService,
  ) {}

  /**
   * What the log says of a fact, beside what is kept of it; for a name that several bear, the candidates. A fact of
   * which nothing was ever stated is an answer as well.
   * @throws HubError `entity_not_found`, `invalid_focus`, `forbidden_scope` for a refresh without the scope `write`.
   */
  verify(
    { workspaceId, scopes }: VerifyCaller,
    request: VerifyRequest,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<VerifyResponse | AmbiguousName>> {
    if (request.refresh && !scopes.includes('write')) throw HubError.missingScope('write');
    const answer = async (tx: Tx) => new HandlerResponse(await this.verifyInTransaction(tx, request), 200);
    return this.work.run(workspaceId, tx => (request.refresh ? runOnce(tx, key, () => answer(tx)) : answer(tx)));
  }

  private async verifyInTransaction(tx: Tx, request: VerifyRequest): Promise<VerifyResponse | AmbiguousName> {
    const found = await this.entities.resolve(tx, request.focus, request.hints);
    if (typeof found !== 'string') return found;
    const asOf = request.asOf ?? (await tx.now());
    const key = { entityId: found, property: canonicalProperty(request.property) };
    const past = request.asOf !== undefined || request.knownAt !== undefined;
    const looks = past ? await this.compareAsOf(tx, key, asOf, request.knownAt) : await this.compareNow(tx, key, asOf);
    const answer = toVerifyResponse(this.claims.rulesOf(tx.workspace), key, request, looks, asOf);
    return request.refresh ? { ...answer, ...(await this.refreshes.request(tx, key)) } : answer;
  }

  /** A claim that is written between the two reads looks like a difference: then both are read again, alone. */
  private async compareNow(tx: Tx, key: ClaimKey, now: Instant): Promise<ClaimComparison> {
    const looks = await this.compareOnce(tx, key, now);
    if (!looks.differs) return looks;
    await lockEntities(tx, [key.entityId]);
    return this.compareOnce(tx, key, now);
  }

  private async compareOnce(tx: Tx, key: ClaimKey, now: Instant): Promise<ClaimComparison> {
    const [[kept], [folded]] = await Promise.all([readStates(tx, [key]), this.history.rebuild(tx, [key], now)]);
    const before = kept && this.presentClaim(tx, key.property, kept.state, now);
    const after = folded && this.presentClaim(tx, key.property, folded.state, now);
    return { before, after, state: folded?.state, differs: !isDeepStrictEqual(before, after) };
  }

  private async compareAsOf(
    tx: Tx,
    key: ClaimKey,
    asOf: Instant,
    knownAt: Instant | undefined,
  ): Promise<ClaimComparison> {
    const folded = await this.history.rebuildAsOf(tx, key.entityId, asOf, { asOf, knownAt });
    const state = folded.find(({ property }) => property === key.property)?.state;
    return {
      before: undefined,
      after: state && this.presentClaim(tx, key.property, state, asOf),
      state,
      differs: false,
    };
  }

  private presentClaim(tx: Tx, property: string, state: PropertyState, asOf: Instant): Claim | undefined {
    return toClaim(this.claims.rulesOf(tx.workspace), property, state, asOf, { history: true });
  }
}

function toVerifyResponse(
  rules: ClaimRules,
  key: ClaimKey,
  { property, value }: VerifyRequest,
  comparison: ClaimComparison,
  asOf: Instant,
): VerifyResponse {
  const { before, after, state, differs } = comparison;
  const believed = value === undefined ? undefined : canonicalizeValue(key.property, value);
  const matches = believed === undefined ? undefined : isClaimMatch(ruleOf(rules, key.property), after, believed);
  const verdict = decideVerdict(after, matches);
  const named = (claim: Claim): VerifiedClaim => ({ entity_id: key.entityId, ...claim, property });
  const safe = isSafe(after);
  const settled = safe || (verdict === 'ended' && after?.freshness === 'fresh');
  return {
    verdict,
    safe_to_use: safe,
    entity_id: key.entityId,
    property,
    before: before ? named(before) : null,
    after: after ? named(after) : toUnknownClaim(property),
    note: describeVerification(verdict, property, after, differs),
    ...(matches !== undefined && { matches_value: matches }),
    cached_differs: differs,
    recommended: settled ? [] : recommend(rules, key.property, state, asOf),
  };
}

function canonicalizeValue(property: string, value: JsonValue): JsonValue {
  return property === 'email_status' && typeof value === 'string' ? canonicalEmailStatus(value) : value;
}
