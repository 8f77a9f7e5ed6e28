import { Injectable } from '@nestjs/common';
import { identifierOf } from '#domain/identity/focus.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/errors.js';
import { Answered } from '#kernel/idempotency/answered.js';
import type { IdempotencyKey } from '#kernel/idempotency/idempotency-key.js';
import { once } from '#kernel/idempotency/kept-answers.js';
import { findOwners } from '../identity/identifiers.queries.js';
import { readRows } from './person-reader.js';
import type { PersonRequest } from './person-request.js';
import type { Row } from './person-row.js';
import { type Match, PersonWriter } from './person-writer.js';

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
  readonly dry_run?: true;
}

/** Writes people: every field becomes an observation, and claims follow from those. */
@Injectable()
export class PeopleWrites {
  constructor(
    private readonly work: UnitOfWork,
    private readonly writer: PersonWriter,
  ) {}

  /** Finds or makes a person. 201 created, 200 matched. @throws HubError `identifier_conflict` with both ids. */
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
    const written = await this.work.run(workspace, tx =>
      once(tx, key, async () => {
        const match = await find(tx);
        if (dryRun) return rehearsed(match, wish.observations.length);
        const [outcome] = await this.writer.write(tx, [wish], [match]);
        if (!outcome || 'error' in outcome) throw outcome?.error ?? HubError.entityNotFound();
        const { entity_id, entity_created: created, recorded, claims_recomputed } = outcome.recorded;
        const matched = match.matchedOn === null ? {} : { matched_on: match.matchedOn };
        const about = { entity_id, created, ...matched, claims_written: recorded, claims_recomputed };
        return new Answered<PersonWritten>({ person: null, ...about }, created ? 201 : 200);
      }),
    );
    return this.withRow(workspace, written);
  }

  /** Claims are kept with COMMIT, so the row is read behind it; a replay shows the row as it is now. */
  private async withRow(workspace: string, { body, status, replayed }: Answered<PersonWritten>) {
    const { entity_id: id, dry_run } = body;
    const rows =
      id === null || dry_run ? [] : await this.work.run(workspace, tx => readRows(tx, [id], { include: new Set() }));
    return new Answered({ ...body, person: rows[0] ?? null }, status, replayed);
  }

  private async matchOf(tx: Tx, { wish }: PersonRequest): Promise<Match> {
    const [match] = await this.writer.match(tx, [wish]);
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

function rehearsed({ entityId, matchedOn }: Match, facts: number): Answered<PersonWritten> {
  const matched = matchedOn === null ? {} : { matched_on: matchedOn };
  const about = { entity_id: entityId ?? null, created: entityId === undefined, ...matched };
  return new Answered({ person: null, ...about, claims_written: facts, claims_recomputed: [], dry_run: true }, 200);
}
