import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { EntityResolverService } from '../identity/entity-resolver.service.js';
import { type PresentedClaim, type PresentedIdentifier, presentIdentifier } from './accounts.presenter.js';
import { readEntityIdentifiers } from './accounts.queries.js';
import { ClaimReaderService } from './claim-reader.service.js';

/** One of two entities that may be merged. */
export interface ComparedEntity {
  readonly entity_id: string;
  readonly name: string | null;
  readonly identifiers: readonly PresentedIdentifier[];
  readonly claims: readonly PresentedClaim[];
}

/** Two entities, and what their claims would become as one. */
export interface MergePreviewResponse {
  readonly entities: readonly ComparedEntity[];
  readonly claims: readonly PresentedClaim[];
}

/** Shows what a merge would do before somebody decides on it. */
@Injectable()
export class MergePreviewService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly claims: ClaimReaderService,
  ) {}

  /**
   * Returns two entities with their identifiers and claims, and the claims that they would have as one. Changes nothing.
   * @throws HubError `entity_not_found`, `invalid_focus`, `same_entity`, and `merge_impossible` for a person and a company
   */
  preview(workspace: string, a: string, b: string): Promise<MergePreviewResponse> {
    return this.work.run(workspace, async tx => {
      const owners = [await this.entities.resolveOwner(tx, a), await this.entities.resolveOwner(tx, b)];
      const ids = owners.map(({ canonicalId }) => canonicalId);
      if (new Set(ids).size === 1) throw new HubError('same_entity');
      if (new Set(owners.map(({ type }) => type)).size > 1) throw new HubError('merge_impossible');
      const entities = await Promise.all(ids.map(id => this.readSide(tx, id)));
      return { entities, claims: await this.claims.readMerged(tx, ids) };
    });
  }

  private async readSide(tx: Tx, id: string): Promise<ComparedEntity> {
    const [identifiers, { claims, name, addressStatuses }] = await Promise.all([
      readEntityIdentifiers(tx, id),
      this.claims.read(tx, id, {}, false),
    ]);
    const shown = identifiers.map(row => presentIdentifier(row, addressStatuses.get(row.key)));
    return { entity_id: id, name, identifiers: shown, claims };
  }
}
