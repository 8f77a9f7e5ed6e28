import { selectAboutAddress } from '#domain/claims/address-status.js';
import type { PropertyState } from '#domain/claims/property-state.js';
import { Injectable } from '@nestjs/common';
import type { ClaimKey } from '../claims/claims.queries.js';
import {
  type ClaimReason,
  type EndedPeriod,
  explainClaim,
  type SeriesPoint,
  toEndedPeriods,
  toSeries,
  weighStatements,
  type WeighedStatement,
} from '#domain/claims/evidence.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { ClaimsService, groupStatementsByClaim } from '../claims/claims.service.js';
import { EntityResolverService } from '../identity/entity-resolver.service.js';
import { HistoryService } from '../observations/history.service.js';
import type { PresentedClaim } from './accounts.presenter.js';
import { decodeTimelineCursor, encodeTimelineCursor } from './timeline.queries.js';
import { type AsOf, ClaimReaderService } from './claim-reader.service.js';

/** Selects a page of the statements behind a claim. */
export interface ClaimEvidenceRequest extends AsOf {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A statement with the time at which it was recorded. */
export interface RecordedStatement extends WeighedStatement {
  readonly recordedAt: Instant;
}

/** A claim with everything that was stated about it. */
export interface ClaimEvidence {
  readonly claim: PresentedClaim;
  readonly why: ClaimReason;
  /** A page, the newest first. */
  readonly statements: readonly RecordedStatement[];
  readonly periods: readonly EndedPeriod[];
  readonly series: readonly SeriesPoint[];
  readonly nextCursor: string | null;
}

/** Reads one claim with every statement about it. */
@Injectable()
export class ClaimEvidenceService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly reader: ClaimReaderService,
    private readonly claims: ClaimsService,
    private readonly history: HistoryService,
  ) {}

  /**
   * Returns a claim with its statements, earlier values, and its confidence over time.
   * @param id a precise identifier of the entity
   * @throws HubError `entity_not_found`, `invalid_focus`, `cursor_mismatch`; `not_found` if nobody stated the property
   */
  read(workspace: string, id: string, property: string, request: ClaimEvidenceRequest): Promise<ClaimEvidence> {
    return this.work.run(workspace, async tx => {
      const { canonicalId: entityId } = await this.entities.resolveOwner(tx, id);
      const { claims, states } = await this.reader.read(tx, entityId, request, true);
      const claim = claims.find(each => each.property === property);
      if (!claim) throw unknownPropertyError(property);
      return this.collect(tx, { entityId, property }, claim, states.get(property), request);
    });
  }

  private async collect(
    tx: Tx,
    key: ClaimKey,
    claim: PresentedClaim,
    state: PropertyState | undefined,
    { asOf, knownAt, limit, cursor }: ClaimEvidenceRequest,
  ): Promise<ClaimEvidence> {
    const time = asOf ?? (await tx.now());
    const horizon = asOf === undefined && knownAt === undefined ? undefined : { asOf, knownAt };
    const observations = await this.history.readObservations(tx, key, horizon);
    const groups = groupStatementsByClaim(observations.map(row => ({ ...row, clusterId: key.entityId })));
    const stated = groups.find(({ property }) => property === key.property)?.statements ?? [];
    const effective = stated.filter(({ observedAt }) => observedAt <= time);
    const due = state?.address === undefined ? effective : selectAboutAddress(effective, state);
    const rules = this.claims.rulesOf(tx.workspace);
    const recordedAt = new Map(observations.map(row => [row.id, row.recordedAt]));
    const after = cursor === undefined ? undefined : decodeTimelineCursor(cursor, key.entityId);
    const rest = weighStatements(rules, claim, due).filter(
      ({ statement: { observedAt, id } }) =>
        !after || observedAt < after.observedAt || (observedAt === after.observedAt && id < after.id),
    );
    const page = rest.slice(0, limit);
    const last = rest.length > limit ? page.at(-1)?.statement : undefined;
    return {
      claim,
      why: explainClaim(claim),
      statements: page.map(each => ({ ...each, recordedAt: recordedAt.get(each.statement.id)! })),
      periods: toEndedPeriods(claim, due),
      series: toSeries(rules, key.property, due, time),
      nextCursor: last
        ? encodeTimelineCursor({ entityId: key.entityId, observedAt: last.observedAt, id: last.id })
        : null,
    };
  }
}

function unknownPropertyError(property: string): HubError {
  return new HubError('not_found', {
    detail: `Nobody has stated \`${property}\` about this entity. The account lists the properties that it has.`,
  });
}
