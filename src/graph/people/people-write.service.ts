import { Injectable } from '@nestjs/common';
import type { ObservationProblem } from '#domain/observation/observation.js';
import type { Tx } from '#kernel/db/transaction.js';
import { runMaybeDry, UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { HandlerResponse } from '#kernel/http/response.hook.js';
import { type IdempotencyKey, runOnce } from '#kernel/idempotency/idempotency-store.js';
import { findOwner } from '../identity/find-owner.js';
import type { MergeOutcome } from '../observations/identifier-conflicts.service.js';
import { readPersonRows } from './person-reader.js';
import type { PersonRequest } from './person-request.js';

import type { Row } from './person-row.js';
import { identifierConflictError, type PersonMatch, PersonWriter, type PersonWriteInput } from './person.writer.js';

/** Result of a write; of a dry run, the result it would have. */
export interface PersonWriteResponse {
  /** The row; null in a dry run. */
  readonly person: Row | null;
  readonly entity_id: string | null;
  readonly created: boolean;
  /** Kind of the identifier that matched an existing person. */
  readonly matched_on?: string;
  /** Number of appended observations. */
  readonly claims_written: number;
  readonly claims_recomputed: readonly string[];
  /** Outcome for an identifier that belongs to another entity. */
  readonly merge?: MergeOutcome;
  /** Fields of the request that were ignored. */
  readonly warnings?: readonly ObservationProblem[];
  readonly dry_run?: true;
}

/** Writes people. Every field becomes an observation, and claims are derived from these. */
@Injectable()
export class PeopleWriteService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly writer: PersonWriter,
  ) {}

  /**
   * Creates a person (201) or updates a match (200). An identifier of somebody with another name is not taken for theirs,
   * and a merge is proposed. If the identifiers match two people, merges them unless a merge
   * guard applies.
   * @throws HubError `identifier_conflict` with both ids and the guards.
   */
  create(
    workspace: string,
    request: PersonRequest,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    return this.write(workspace, request, key, async tx => this.findMatch(tx, request));
  }

  /** Asserts facts of an existing person. @throws HubError `entity_not_found`, `identifier_conflict`. */
  update(
    workspace: string,
    request: PersonRequest,
    key?: IdempotencyKey,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    return this.write(workspace, request, key, async tx => {
      const { focus, input } = request;
      const owner = focus && (await this.resolveOwner(tx, focus));
      const named = { ...input, mayRename: true, ...(owner !== undefined && { entityId: owner }) };
      const match = await this.findMatch(tx, { ...request, input: named });
      if (match.entityId === undefined) throw HubError.entityNotFound();
      return match;
    });
  }

  private async write(
    workspace: string,
    { input, dryRun }: PersonRequest,
    key: IdempotencyKey | undefined,
    find: (tx: Tx) => Promise<PersonMatch>,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    const written = await runMaybeDry(this.work, workspace, dryRun, tx =>
      runOnce(tx, key, async () => this.writeMatched(tx, input, await find(tx))),
    );
    return dryRun ? toDryRunAnswer(written) : this.withRow(workspace, written);
  }

  private async writeMatched(
    tx: Tx,
    input: PersonWriteInput,
    match: PersonMatch,
  ): Promise<HandlerResponse<PersonWriteResponse>> {
    const [outcome] = await this.writer.write(tx, [input], [match]);
    if (!outcome || 'error' in outcome) throw outcome?.error ?? HubError.entityNotFound();
    const { entity_id, entity_created: created, recorded, claims_recomputed, merge } = outcome.recorded;
    if (match.conflictingIds.size > 0) {
      const named = (await this.writer.resolveIds(tx, input)).union(new Set([entity_id]));
      if (named.size > 1) throw identifierConflictError(named, { guards: merge?.guards ?? [] });
    }
    const matched = match.matchedOn === null ? {} : { matched_on: match.matchedOn };
    const { warnings } = input;
    const about = { entity_id, created, ...matched, claims_written: recorded, claims_recomputed };
    return new HandlerResponse<PersonWriteResponse>(
      {
        person: null,
        ...about,
        ...(merge && { merge }),
        ...(warnings.length > 0 && { warnings }),
      },
      created ? 201 : 200,
    );
  }

  /** Reads the row after COMMIT, because claims are stored with COMMIT. A replay returns the current row. */
  private async withRow(workspace: string, { body, status, isReplay }: HandlerResponse<PersonWriteResponse>) {
    const { entity_id: id } = body;
    const rows =
      id === null ? [] : await this.work.run(workspace, tx => readPersonRows(tx, [id], { include: new Set() }));
    return new HandlerResponse({ ...body, person: rows[0] ?? null }, status, isReplay);
  }

  private async findMatch(tx: Tx, { input }: PersonRequest): Promise<PersonMatch> {
    const [match] = await this.writer.match(tx, [input], true);
    if (!match || match instanceof HubError) throw match ?? HubError.entityNotFound();
    return match;
  }

  private async resolveOwner(tx: Tx, focus: NonNullable<PersonRequest['focus']>): Promise<string> {
    if (focus.form === 'uuid') return focus.id;
    const owner = await findOwner(tx, focus);
    if (!owner) throw HubError.entityNotFound();
    return owner.id;
  }
}

function toDryRunAnswer({ body }: HandlerResponse<PersonWriteResponse>): HandlerResponse<PersonWriteResponse> {
  return new HandlerResponse({ ...body, entity_id: body.created ? null : body.entity_id, dry_run: true }, 200);
}
