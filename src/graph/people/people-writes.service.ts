import { Injectable } from '@nestjs/common';
import { identifierOf } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { perform } from '#kernel/db/rehearsal.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import { findOwners } from '../identity/identifiers.queries.js';
import type { MergeOutcome } from '../observations/rivals.service.js';
import { readRows } from './person-reader.js';
import type { PersonRequest } from './person-request.js';

import type { Row } from './person-row.js';
import { conflictOf, type Match, PersonWriter, type PersonWish } from './person-writer.js';

/** What a write has brought about; of a dry run what it would bring about. */
export interface PersonWritten {
  /** The row; null in a dry run. */
  readonly person: Row | null;
  readonly entity_id: string | null;
  readonly created: boolean;
  /** Kind of the identifier that was known already. */
  readonly matched_on?: string;
  /** Observations that were appended. */
  readonly claims_written: number;
  readonly claims_recomputed: readonly string[];
  /** Whom this has turned out to be as well. */
  readonly merge?: MergeOutcome;
  readonly dry_run?: true;
}

/** Writes people: every field becomes an observation, and claims follow from those. */
@Injectable()
export class PeopleWrites {
  constructor(
    private readonly work: UnitOfWork,
    private readonly writer: PersonWriter,
  ) {}

  /**
   * Finds or makes a person. 201 created, 200 matched. Two whom the identifiers name become one where the rules of
   * merging allow it. @throws HubError `identifier_conflict` with both ids and what spoke against it.
   */
  create(workspace: string, request: PersonRequest, key?: IdempotencyKey): Promise<Answered<PersonWritten>> {
    return this.write(workspace, request, key, async tx => this.matchOf(tx, request));
  }

  /** Asserts facts of somebody who is there. @throws HubError `entity_not_found`, `identifier_conflict`. */
  change(workspace: string, request: PersonRequest, key?: IdempotencyKey): Promise<Answered<PersonWritten>> {
    return this.write(workspace, request, key, async tx => {
      const { focus, wish } = request;
      const owner = focus && (await this.ownerOf(tx, focus));
      const match = await this.matchOf(tx, { ...request, wish: owner ? { ...wish, entityId: owner } : wish });
      if (match.entityId === undefined) throw HubError.entityNotFound();
      return match;
    });
  }

  private async write(
    workspace: string,
    { wish, dryRun }: PersonRequest,
    key: IdempotencyKey | undefined,
    find: (tx: Tx) => Promise<Match>,
  ): Promise<Answered<PersonWritten>> {
    const written = await perform(this.work, workspace, dryRun, tx =>
      once(tx, key, async () => this.written(tx, wish, await find(tx))),
    );
    return dryRun ? asRehearsed(written) : this.withRow(workspace, written);
  }

  private async written(tx: Tx, wish: PersonWish, match: Match): Promise<Answered<PersonWritten>> {
    const [outcome] = await this.writer.write(tx, [wish], [match]);
    if (!outcome || 'error' in outcome) throw outcome?.error ?? HubError.entityNotFound();
    const { entity_id, entity_created: created, recorded, claims_recomputed, merge } = outcome.recorded;
    if (match.rivals.size > 0) {
      const named = (await this.writer.named(tx, wish)).union(new Set([entity_id]));
      if (named.size > 1) throw conflictOf(named, { guards: merge?.guards ?? [] });
    }
    const matched = match.matchedOn === null ? {} : { matched_on: match.matchedOn };
    const about = { entity_id, created, ...matched, claims_written: recorded, claims_recomputed };
    return new Answered<PersonWritten>(
      { person: null, ...about, ...(merge?.status === 'merged' && { merge }) },
      created ? 201 : 200,
    );
  }

  /** Claims are kept with COMMIT, so the row is read behind it; a replay shows the row as it is now. */
  private async withRow(workspace: string, { body, status, replayed }: Answered<PersonWritten>) {
    const { entity_id: id } = body;
    const rows = id === null ? [] : await this.work.run(workspace, tx => readRows(tx, [id], { include: new Set() }));
    return new Answered({ ...body, person: rows[0] ?? null }, status, replayed);
  }

  private async matchOf(tx: Tx, { wish }: PersonRequest): Promise<Match> {
    const [match] = await this.writer.match(tx, [wish], true);
    if (!match || match instanceof HubError) throw match ?? HubError.entityNotFound();
    return match;
  }

  private async ownerOf(tx: Tx, focus: NonNullable<PersonRequest['focus']>): Promise<string> {
    if (focus.form === 'uuid') return focus.id;
    const [owner] = (await findOwners(tx, [identifierOf(focus)])).values();
    if (!owner) throw HubError.entityNotFound();
    return owner.id;
  }
}

function asRehearsed({ body }: Answered<PersonWritten>): Answered<PersonWritten> {
  return new Answered({ ...body, entity_id: body.created ? null : body.entity_id, dry_run: true }, 200);
}
