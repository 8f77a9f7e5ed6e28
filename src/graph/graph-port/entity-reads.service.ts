import { Injectable } from '@nestjs/common';
import { isSafe } from '#domain/claims/safe-to-use.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import type { PluginScope } from '#plugin-host/context/plugin-ports.js';
import { PermanentError } from '#sdk/errors.js';
import type { CurrentClaim, EntityWithClaims } from '#sdk/ports/entities.js';
import type { PresentedClaim } from '../accounts/accounts.presenter.js';
import { ClaimReaderService } from '../accounts/claim-reader.service.js';
import { presentExternalIds } from '../changes/changes.presenter.js';
import { findOwners, focusKey } from '../identity/identifiers.queries.js';
import { type ClusterIdentifierRow, readEntityNames, readIdentifierRows } from './contacts.queries.js';

const MAX_ENTITIES = 1_000;
const MAX_PROPERTIES = 100;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the claims of many entities for plugins. */
@Injectable()
export class EntityReadsService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly claims: ClaimReaderService,
  ) {}

  /**
   * Reads up to 1000 entities by ID with their claims about up to 100 properties, in order; null for unknown IDs. The
   * number of statements does not depend on that of the entities.
   * @throws PermanentError for more of them, or for what is no ID
   */
  readMany(
    { workspaceId }: PluginScope,
    ids: readonly string[],
    properties: readonly string[],
  ): Promise<(EntityWithClaims | null)[]> {
    if (ids.length > MAX_ENTITIES) throw new PermanentError(`One call takes at most ${MAX_ENTITIES} IDs.`);
    if (properties.length > MAX_PROPERTIES)
      throw new PermanentError(`One call takes at most ${MAX_PROPERTIES} properties.`);
    const wrong = ids.find(id => !UUID.test(id));
    if (wrong !== undefined) throw new PermanentError(`"${wrong}" is no ID of an entity.`);
    return this.work.run(workspaceId, async tx => {
      const owners = await findOwners(tx, [], ids);
      const canonicalIds = [...new Set([...owners.values()].map(({ canonicalId }) => canonicalId))];
      const keys = canonicalIds.flatMap(entityId => properties.map(property => ({ entityId, property })));
      const [claims, identifiers, names] = await Promise.all([
        this.claims.readMany(tx, keys),
        readIdentifierRows(tx, canonicalIds),
        readEntityNames(tx, canonicalIds),
      ]);
      const claimsOf = Map.groupBy(claims, claim => claim.entity_id);
      const identifiersOf = Map.groupBy(identifiers, row => row.entity_id);
      return ids.map(id => {
        const owner = owners.get(focusKey({ form: 'uuid', id }));
        if (!owner) return null;
        const { canonicalId: entity_id, type } = owner;
        const about = { entity_id, type: type ?? 'person', name: names.get(entity_id) ?? null };
        const own = (claimsOf.get(entity_id) ?? []).map(claim => [claim.property, toCurrentClaim(claim)] as const);
        return { ...about, ...presentIdentifiers(identifiersOf.get(entity_id) ?? []), claims: Object.fromEntries(own) };
      });
    });
  }
}

function presentIdentifiers(rows: readonly ClusterIdentifierRow[]) {
  const listValues = (kind: ClusterIdentifierRow['kind']) =>
    rows.flatMap(row => (row.kind === kind ? [row.value] : []));
  const external = presentExternalIds(rows.filter(({ kind }) => kind === 'external'));
  return {
    emails: listValues('email'),
    domains: listValues('domain'),
    external_ids: [...external.values()].flat(),
  };
}

function toCurrentClaim(claim: PresentedClaim): CurrentClaim {
  const { value, status, confidence, freshness, epistemic_class, sources, last_observed_at } = claim;
  return {
    value: status === 'ended' ? null : value,
    confidence,
    freshness,
    epistemic_class,
    source: sources[0]?.source ?? null,
    sources: [...new Set(sources.map(({ source }) => source))],
    observed_at: last_observed_at,
    safe_to_use: isSafe(claim),
  };
}
