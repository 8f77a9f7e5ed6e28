import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import type { JsonValue, ObservationKind } from '#domain/observation/observation.js';
import { type Instant, toIso } from '#domain/time/instant.js';
import { prepare } from '#kernel/db/prepared-query.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';

/** An observation in a response. */
export interface ObservationResponse {
  readonly id: string;
  readonly entity_id: string;
  readonly merged_into: string | null;
  readonly kind: ObservationKind;
  readonly property: string;
  readonly value: JsonValue;
  readonly source: string;
  readonly method: string;
  /** ISO 8601, like all times here. */
  readonly observed_at: string;
  readonly recorded_at: string;
  readonly external_id: string | null;
  readonly retracted_at: string | null;
  /** Only if it was requested. */
  readonly raw?: Readonly<Record<string, JsonValue>> | null;
}

interface LoggedRow extends Omit<ObservationResponse, 'observed_at' | 'recorded_at' | 'retracted_at' | 'raw'> {
  readonly observed_at: Instant;
  readonly recorded_at: Instant;
  readonly retracted_at: Instant | null;
  readonly raw: Readonly<Record<string, JsonValue>> | null;
}

const READ_OBSERVATION = prepare(
  `SELECT o.id, o.entity_id, entity.canonical_id AS merged_into, o.kind, o.property, o.value, o.source, o.method,
          o.observed_at, o.recorded_at, o.external_id, o.retracted_at, CASE WHEN $3::boolean THEN o.raw END AS raw
   FROM observation_log o LEFT JOIN LATERAL (
     SELECT canonical_id FROM entities WHERE workspace_id = $1 AND id = o.entity_id OFFSET 0
   ) entity ON true
   WHERE o.workspace_id = $1 AND o.id = $2`,
);

/** Reads single observations, which claims, timelines and responses name by their IDs. */
@Injectable()
export class ObservationReaderService {
  constructor(private readonly work: UnitOfWork) {}

  /**
   * Returns an observation, also one that was retracted.
   * @param includesRaw whether to add the payload as its source sent it
   * @throws HubError `not_found`
   */
  read(workspace: string, id: string, includesRaw: boolean): Promise<ObservationResponse> {
    if (!isUuid(id)) throw new HubError('not_found');
    return this.work.run(workspace, async tx => {
      const [row] = await tx.query<LoggedRow>(READ_OBSERVATION, [tx.workspace, id, includesRaw]);
      if (!row) throw new HubError('not_found');
      const { raw, observed_at, recorded_at, retracted_at, ...fields } = row;
      return {
        ...fields,
        observed_at: toIso(observed_at),
        recorded_at: toIso(recorded_at),
        retracted_at: retracted_at === null ? null : toIso(retracted_at),
        ...(includesRaw && { raw }),
      };
    });
  }
}
