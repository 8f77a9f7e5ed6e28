import { Injectable } from '@nestjs/common';
import type { Instant } from '#domain/time/instant.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { EntityResolverService } from '../identity/entity-resolver.service.js';
import { type PresentedObservation, presentObservation } from './accounts.presenter.js';
import {
  decodeTimelineCursor,
  encodeTimelineCursor,
  readFilteredTimeline,
  type TimelineConditions,
} from './timeline.queries.js';

/** Which part of a timeline to return. */
export interface TimelineRequest extends TimelineConditions {
  /** Valid time before which it happened. Default: now. */
  readonly until: Instant | undefined;
  /** System time by which it had been recorded. Default: now. */
  readonly knownAt: Instant | undefined;
  /** Maximum number of observations. */
  readonly limit: number;
  readonly cursor: string | undefined;
}

/** A page of a timeline in a response. */
export interface TimelineResponse {
  readonly entity_id: string;
  readonly observations: readonly PresentedObservation[];
  readonly limit: number;
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}

/** Reads timelines by kind, property, source and time. */
@Injectable()
export class TimelineService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
  ) {}

  /**
   * Returns a page of the observations about an entity, newest first.
   * @param id any precise identifier.
   * @throws HubError `entity_not_found`, `invalid_focus` for a bare name, `cursor_mismatch`.
   */
  list(workspace: string, id: string, request: TimelineRequest): Promise<TimelineResponse> {
    return this.work.run(workspace, async tx => {
      const { canonicalId: entityId } = await this.entities.resolveOwner(tx, id);
      const now = await tx.now();
      const { until, knownAt = now, limit, cursor } = request;
      const after = cursor === undefined ? undefined : decodeTimelineCursor(cursor, entityId);
      const page = { limit: limit + 1, after, asOf: until === undefined ? now : until - 1, knownAt };
      const found = await readFilteredTimeline(tx, entityId, page, request);
      const rows = found.slice(0, limit);
      const last = found.length > limit ? rows.at(-1) : undefined;
      return {
        entity_id: entityId,
        observations: rows.map(presentObservation),
        limit,
        has_more: last !== undefined,
        next_cursor: last ? encodeTimelineCursor({ entityId, observedAt: last.observed_at, id: last.id }) : null,
      };
    });
  }
}
