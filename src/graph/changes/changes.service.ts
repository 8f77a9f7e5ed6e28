import { Injectable } from '@nestjs/common';
import { impliedBy } from '#domain/claims/implied-statements.js';
import { canonicalEvent } from '#domain/properties/registry.js';
import type { Change } from '#sdk/ports/changes.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { PresentedClaim } from '../accounts/accounts.presenter.js';
import { ClaimReaderService } from '../accounts/claim-reader.service.js';
import { encodeChangeCursor, positionAt, type ChangesRequest } from './changes-request.js';
import { type ChangesResponse, presentClaimChange, presentExternalIds, presentChangeRow } from './changes.presenter.js';
import { type ChangeRow, readChangeRows, readExternalIds, readLatestPosition } from './changes.queries.js';

/** The claim of a property that something was stated about, or a row that is a change itself. */
type FoundChange =
  | { readonly row: ChangeRow }
  | { readonly row: ChangeRow; readonly entityId: string; readonly property: string };

/** Reads what changed in a workspace, in the order in which the changes were committed. */
@Injectable()
export class ChangesService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly claims: ClaimReaderService,
  ) {}

  /**
   * Returns the changes after a cursor. A page can have fewer changes than `limit`, or none, although more follow. Each
   * claim appears once, as it is now.
   */
  read(workspaceId: string, request: ChangesRequest): Promise<ChangesResponse> {
    const { after, limit } = request;
    return this.work.run(workspaceId, async tx => {
      if (after === 'latest') {
        const next_cursor = encodeChangeCursor(positionAt(await readLatestPosition(tx)));
        return { changes: [], limit, has_more: false, next_cursor };
      }
      const { rows, end = after, hasMore } = await readChangeRows(tx, after, request.filter, limit);
      const changes = await this.present(tx, rows, request);
      return { changes, limit, has_more: hasMore, next_cursor: encodeChangeCursor(end) };
    });
  }

  private async present(
    tx: Tx,
    rows: readonly ChangeRow[],
    { kinds, properties, filter }: ChangesRequest,
  ): Promise<Change[]> {
    if (rows.length === 0) return [];
    const isWanted = (property: string) => properties === undefined || properties.has(property);
    const found = new Map<string, FoundChange>();
    for (const row of rows) {
      if (row.origin === 'retraction') {
        if (row.kind === 'event' ? isWanted(canonicalEvent(row.property!, row.value)) : isWanted(row.property!))
          found.set(row.id, { row });
        continue;
      }
      if (kinds.has('claim')) {
        for (const property of listStatedProperties(row).filter(isWanted))
          found.set(`${row.entity_id} ${property}`, { row, entityId: row.entity_id, property });
      }
      const isListed =
        row.kind === null || (row.kind === 'event' && isWanted(canonicalEvent(row.property!, row.value)));
      if (isListed && (row.kind === null || kinds.has('event'))) found.set(row.id, { row });
    }
    const keys = [...found.values()].filter(each => 'property' in each);
    const [claims, externalRows] = await Promise.all([
      this.claims.readMany(tx, keys),
      readExternalIds(tx, [...new Set(rows.map(row => row.entity_id))]),
    ]);
    const claimByKey = new Map(claims.map(claim => [`${claim.entity_id} ${claim.property}`, claim]));
    const externalIds = presentExternalIds(externalRows);
    return [...found].flatMap(([key, change]): Change[] => {
      const external_ids = externalIds.get(change.row.entity_id) ?? [];
      if (!('property' in change)) return [{ ...presentChangeRow(change.row), external_ids }];
      const claim = claimByKey.get(key);
      if (!claim || isSupportedBy(claim, filter.notFrom)) return [];
      return [{ ...presentClaimChange(change.row, claim), external_ids }];
    });
  }
}

function listStatedProperties({ kind, property, value, source, method }: ChangeRow): string[] {
  if (kind === null) return [];
  return impliedBy({ kind, property: property!, value, source: source!, method: method! }).map(each => each.property);
}

/** Returns whether one of these sources states the claim already, and has not stated another value since. */
function isSupportedBy({ sources, opposing }: PresentedClaim, excluded: readonly string[]): boolean {
  const isExcluded = ({ source }: { readonly source: string }) =>
    excluded.includes(source) || excluded.includes(source.split(':', 1)[0]!);
  return sources.some(isExcluded) && !opposing.some(isExcluded);
}
