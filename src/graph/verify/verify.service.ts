import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Claim } from '#domain/claims/claim.js';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import { showClaim } from '#domain/claims/show-claim.js';
import type { PropertyState } from '#domain/claims/state.js';
import type { Json } from '#domain/observation/observation.js';
import { canonicalEmailStatus, canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import { noteOf } from '#domain/verify/note.js';
import { recommend } from '#domain/verify/recommend.js';
import { isMatch, isSafe, verdictOf } from '#domain/verify/verdict.js';
import type { Caller } from '#kernel/auth/caller.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import type { ClaimKey } from '../claims/claims.queries.js';
import { readStates } from '../claims/states.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { lockEntities } from '../identity/entity-locks.js';
import { type Ambiguous, FinderService } from '../identity/finder.service.js';
import { HistoryService } from '../observations/history.service.js';
import { RefreshWishes } from './refresh-wishes.service.js';
import { unknownClaim, type Verified, type VerifiedClaim } from './verified.js';
import type { VerifyRequest } from './verify-request.js';

/** A claim as it is kept, and as the log gives it. */
interface TwoLooks {
  readonly before: Claim | undefined;
  readonly after: Claim | undefined;
  readonly state: PropertyState | undefined;
  readonly differs: boolean;
}

/** Who asks, and what that key may. */
type Asker = Pick<Caller, 'workspaceId' | 'scopes'>;

/** Looks at single facts again, in the log itself. Never writes a claim. */
@Injectable()
export class VerifyService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly finder: FinderService,
    private readonly history: HistoryService,
    private readonly claims: ClaimsService,
    private readonly wishes: RefreshWishes,
  ) {}

  /**
   * What the log says of a fact, beside what is kept of it; for a name that several bear, the candidates. A fact of
   * which nothing was ever stated is an answer as well.
   * @throws HubError `entity_not_found`, `invalid_focus`, `forbidden_scope` for a refresh without the scope `write`.
   */
  verify(
    { workspaceId, scopes }: Asker,
    request: VerifyRequest,
    key?: IdempotencyKey,
  ): Promise<Answered<Verified | Ambiguous>> {
    if (request.refresh && !scopes.includes('write')) throw HubError.missingScope('write');
    const answer = async (tx: Tx) => new Answered(await this.look(tx, request), 200);
    return this.work.run(workspaceId, tx => (request.refresh ? once(tx, key, () => answer(tx)) : answer(tx)));
  }

  private async look(tx: Tx, request: VerifyRequest): Promise<Verified | Ambiguous> {
    const found = await this.finder.find(tx, request.focus, request.hints);
    if (typeof found !== 'string') return found;
    const asOf = request.asOf ?? (await tx.now());
    const key = { entityId: found, property: canonicalProperty(request.property) };
    const past = request.asOf !== undefined || request.knownAt !== undefined;
    const looks = past ? await this.inThePast(tx, key, asOf, request.knownAt) : await this.atPresent(tx, key, asOf);
    const answer = verified(this.claims.rulesOf(tx.workspace), key, request, looks, asOf);
    return request.refresh ? { ...answer, ...(await this.wishes.utter(tx, key)) } : answer;
  }

  /** A claim that is written between the two reads looks like a difference: then both are read again, alone. */
  private async atPresent(tx: Tx, key: ClaimKey, now: Instant): Promise<TwoLooks> {
    const looks = await this.bothWays(tx, key, now);
    if (!looks.differs) return looks;
    await lockEntities(tx, [key.entityId]);
    return this.bothWays(tx, key, now);
  }

  private async bothWays(tx: Tx, key: ClaimKey, now: Instant): Promise<TwoLooks> {
    const [[kept], [folded]] = await Promise.all([readStates(tx, [key]), this.history.foldedAnew(tx, [key], now)]);
    const before = kept && this.shown(tx, key.property, kept.state, now);
    const after = folded && this.shown(tx, key.property, folded.state, now);
    return { before, after, state: folded?.state, differs: !isDeepStrictEqual(before, after) };
  }

  private async inThePast(tx: Tx, key: ClaimKey, asOf: Instant, knownAt: Instant | undefined): Promise<TwoLooks> {
    const folded = await this.history.foldedAt(tx, key.entityId, asOf, { asOf, knownAt });
    const state = folded.find(({ property }) => property === key.property)?.state;
    return { before: undefined, after: state && this.shown(tx, key.property, state, asOf), state, differs: false };
  }

  private shown(tx: Tx, property: string, state: PropertyState, asOf: Instant): Claim | undefined {
    return showClaim(this.claims.rulesOf(tx.workspace), property, state, asOf, { history: true });
  }
}

function verified(
  rules: ClaimRules,
  key: ClaimKey,
  { property, value }: VerifyRequest,
  looks: TwoLooks,
  asOf: Instant,
): Verified {
  const { before, after, state, differs } = looks;
  const believed = value === undefined ? undefined : canonicalValue(key.property, value);
  const matches = believed === undefined ? undefined : isMatch(ruleOf(rules, key.property), after, believed);
  const verdict = verdictOf(after, matches);
  const named = (claim: Claim): VerifiedClaim => ({ entity_id: key.entityId, ...claim, property });
  const safe = isSafe(after);
  const settled = safe || (verdict === 'ended' && after?.freshness === 'fresh');
  return {
    verdict,
    safe_to_use: safe,
    entity_id: key.entityId,
    property,
    before: before ? named(before) : null,
    after: after ? named(after) : unknownClaim(property),
    note: noteOf(verdict, property, after, differs),
    ...(matches !== undefined && { matches_value: matches }),
    cached_differs: differs,
    recommended: settled ? [] : recommend(rules, key.property, state, asOf),
  };
}

function canonicalValue(property: string, value: Json): Json {
  return property === 'email_status' && typeof value === 'string' ? canonicalEmailStatus(value) : value;
}
