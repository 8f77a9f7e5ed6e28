import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { newId } from '#kernel/ids.js';
import { PluginUsageService } from '#plugin-host/host/plugin-usage.service.js';
import type { Claim } from '#domain/claims/claim.js';
import { type ClaimRules, ruleOf } from '#domain/claims/rules.js';
import { toClaim } from '#domain/claims/present-claim.js';
import { EMPLOYER_PROPERTY, JOB_PROPERTIES, projectTenure, type TenureProjection } from '#domain/claims/doubt.js';
import type { PropertyState } from '#domain/claims/property-state.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { canonicalEmailStatus, canonicalProperty } from '#domain/properties/registry.js';
import type { Instant } from '#domain/time/instant.js';
import { isSafe } from '#domain/claims/safe-to-use.js';
import { describeVerification, recommend, isClaimMatch, decideVerdict } from '#domain/verify/verdict.js';
import type { Caller } from '#kernel/auth/caller.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { type ClaimKey, readStates } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import { lockEntities } from '../identity/entity-locks.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import { HistoryService } from '../observations/history.service.js';
import { toUnknownClaim, type VerifyResponse, type VerifiedClaim } from './verify.presenter.js';
import type { VerifyRequest } from './verify-request.js';

/** Event that asks plugins to refresh a fact. */
const REFRESH_EVENT = 'fact.refresh_requested';

/** Requests connected plugins to refresh facts, for example to verify an address or enrich a contact. */
@Injectable()
export class RefreshRequestService {
  constructor(private readonly usage: PluginUsageService) {}

  /** Emits a refresh request with the commit and returns its ID; returns nothing if no connected plugin refreshes facts. */
  async request(tx: Tx, { entityId, property }: ClaimKey): Promise<{ readonly job_id?: string }> {
    if (!(await this.usage.hasConsumer(tx, REFRESH_EVENT))) return {};
    const job_id = newId();
    tx.emit({ type: REFRESH_EVENT, payload: { job_id, entity_id: entityId, property } });
    return { job_id };
  }
}

/** The stored claim (`before`) and the claim derived from the log (`after`). */
interface ClaimComparison {
  readonly before: Claim | undefined;
  readonly after: Claim | undefined;
  readonly state: PropertyState | undefined;
  readonly differs: boolean;
}

/** The workspace and scopes of the caller. */
type VerifyCaller = Pick<Caller, 'workspaceId' | 'scopes'>;

/** Verifies single facts against the log. Never writes a claim. */
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
   * Compares the stored claim of a fact with the log. Returns the candidates if a name matches several entities. A fact
   * that was never stated is not an error.
   * @throws HubError `entity_not_found`, `invalid_focus`, `forbidden_scope` for a refresh without the scope `write`.
   */
  verify(
    { workspaceId, scopes }: VerifyCaller,
    request: VerifyRequest,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<VerifyResponse | AmbiguousName>> {
    if (request.refresh && !scopes.includes('write')) throw HubError.missingScope('write');
    const respond = async (tx: Tx) => new HandlerResponse(await this.verifyInTransaction(tx, request), 200);
    return this.work.run(workspaceId, tx => (request.refresh ? runOnce(tx, key, () => respond(tx)) : respond(tx)));
  }

  private async verifyInTransaction(tx: Tx, request: VerifyRequest): Promise<VerifyResponse | AmbiguousName> {
    const found = await this.entities.resolve(tx, request.focus, request.hints);
    if (typeof found !== 'string') return found;
    const asOf = request.asOf ?? (await tx.now());
    const key = { entityId: found, property: canonicalProperty(request.property) };
    const past = request.asOf !== undefined || request.knownAt !== undefined;
    const comparison = past
      ? await this.compareAsOf(tx, key, asOf, request.knownAt)
      : await this.compareNow(tx, key, asOf);
    const response = toVerifyResponse(this.claims.rulesOf(tx.workspace), key, request, comparison, asOf);
    return request.refresh ? { ...response, ...(await this.refreshes.request(tx, key)) } : response;
  }

  /** Compares, and on a difference again under a lock, because a claim may be written between the two reads. */
  private async compareNow(tx: Tx, key: ClaimKey, now: Instant): Promise<ClaimComparison> {
    const comparison = await this.compareOnce(tx, key, now);
    if (!comparison.differs) return comparison;
    await lockEntities(tx, [key.entityId]);
    return this.compareOnce(tx, key, now);
  }

  private async compareOnce(tx: Tx, key: ClaimKey, now: Instant): Promise<ClaimComparison> {
    const [[stored], rebuilt] = await Promise.all([readStates(tx, [key]), this.history.rebuild(tx, [key], now)]);
    const folded = rebuilt.find(({ property }) => property === key.property);
    const employer = await this.readEmployer(tx, key, now);
    const before = stored && this.presentClaim(tx, key.property, stored.state, now, employer);
    const after = folded && this.presentClaim(tx, key.property, folded.state, now, employer);
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
    const job = folded.find(({ property }) => property === EMPLOYER_PROPERTY)?.state;
    return {
      before: undefined,
      after: state && this.presentClaim(tx, key.property, state, asOf, job && projectTenure(EMPLOYER_PROPERTY, job)),
      state,
      differs: false,
    };
  }

  /** Folds the claim about the employer from the log, if the fact depends on it. */
  private async readEmployer(tx: Tx, { entityId, property }: ClaimKey, now: Instant): Promise<TenureProjection> {
    if (!JOB_PROPERTIES.has(property)) return null;
    const [job] = await this.history.rebuild(tx, [{ entityId, property: EMPLOYER_PROPERTY }], now);
    return job ? projectTenure(EMPLOYER_PROPERTY, job.state) : null;
  }

  private presentClaim(
    tx: Tx,
    property: string,
    state: PropertyState,
    asOf: Instant,
    employer: TenureProjection | undefined,
  ): Claim | undefined {
    return toClaim(this.claims.rulesOf(tx.workspace), property, state, asOf, { history: true, employer });
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
  const present = (claim: Claim): VerifiedClaim => ({ entity_id: key.entityId, ...claim, property });
  const safe = after !== undefined && isSafe(after);
  const isSettled = safe || (verdict === 'ended' && after?.freshness === 'fresh');
  return {
    verdict,
    safe_to_use: safe,
    entity_id: key.entityId,
    property,
    before: before ? present(before) : null,
    after: after ? present(after) : toUnknownClaim(property),
    note: describeVerification(verdict, property, after, differs),
    ...(matches !== undefined && { matches_value: matches }),
    cached_differs: differs,
    recommended: isSettled ? [] : recommend(rules, key.property, state, asOf),
  };
}

function canonicalizeValue(property: string, value: JsonValue): JsonValue {
  return property === 'email_status' && typeof value === 'string' ? canonicalEmailStatus(value) : value;
}
