import { Injectable } from '@nestjs/common';
import type { Cluster } from '#domain/identity/clusters.js';
import type { Instant } from '#domain/time/instant.js';
import type { Tx } from '#kernel/db/transaction.js';
import { ProfileCache } from '../facts/facts.caches.js';
import {
  type ClusterMember,
  type LinkRow,
  readLinks,
  findClusterOwners,
  findEmployers,
  recomputeCompanies,
} from '../identity/links.queries.js';
import { tryLockEntities } from '../identity/entity-locks.js';
import { IDENTIFIER_RULE, LinksService } from '../identity/links.service.js';
import {
  clearCompany,
  detachIdentifiers,
  type OwnedIdentifier,
  readOwnedIdentifiers,
  removeEmptyEntities,
} from '../identity/retracted.queries.js';
import { ClusterRebuilder } from '../observations/claim-rebuild.js';
import { ScoreService } from '../score/score.service.js';
import { findScored, readIdentifyingFacts, type RetractableRow, retractRemaining } from './retractions.queries.js';
import { listStatedKeys, type StatedFact, toStatedKey } from './stated-identifiers.js';

/** The members of the clusters that a retraction touches, by entity id. They are locked. */
export type TouchedMembers = ReadonlyMap<string, ClusterMember>;

/** What was retracted. */
export interface RetractedRows {
  readonly retractionId: string;
  readonly rows: readonly RetractableRow[];
  readonly members: TouchedMembers;
  /** Time of the first retracted statement of the source. */
  readonly began: Instant;
  /** Ids of the entities whose scores were retracted. */
  readonly rescored: ReadonlySet<string>;
}

/** A cluster, and what is left of the identifiers that were stated for it. */
interface TouchedCluster {
  readonly members: readonly ClusterMember[];
  /** Identifiers that retracted observations state. */
  readonly retracted: ReadonlySet<string>;
  /** Members for which others still state an identifier, by its key. */
  readonly statedFor: ReadonlyMap<string, readonly string[]>;
}

/** Brings entities to the state in which they would be without the observations that were retracted. */
@Injectable()
export class EntityRetractor {
  constructor(
    private readonly links: LinksService,
    private readonly rebuilder: ClusterRebuilder,
    private readonly profiles: ProfileCache,
    private readonly scores: ScoreService,
  ) {}

  /**
   * Locks the clusters of these entities until the transaction ends.
   * @throws ClusterChangedError if one was merged or unmerged meanwhile.
   */
  async lock(tx: Tx, entityIds: readonly string[]): Promise<TouchedMembers> {
    const owners = await findClusterOwners(tx, [...new Set(entityIds)]);
    const members = await this.links.lockMembers(tx, owners);
    return new Map(members.map(member => [member.id, member]));
  }

  /**
   * Takes back merges and identifiers that rest on retracted observations alone, removes entities of which nothing is
   * left, and folds the claims of the others again.
   * @returns the number of removed entities.
   */
  async retract(tx: Tx, { retractionId, rows, members, began, rescored }: RetractedRows): Promise<number> {
    const touched = await this.describe(tx, rows, members);
    const employers = await findEmployers(tx, [...members.keys()]);
    const isConcerned = touched.some(({ retracted }) => retracted.size > 0);
    const owned = isConcerned ? await readOwnedIdentifiers(tx, [...members.keys()]) : [];
    const clusters = await this.takeBackMerges(tx, touched, owned);
    await this.takeBackIdentifiers(tx, touched, owned.filter(isAddedSince(began)), clusters);
    const own = await removeEmptyEntities(tx, [...members.keys()], began);
    const companies = await removeEmptyEntities(tx, await tryLockEntities(tx, employers), began);
    const removed = [...own, ...companies];
    await retractRemaining(tx, retractionId, removed);
    await this.rebuilder.refold(tx, [...clusters, ...companies.map(id => [id])]);
    const gone = new Set(removed);
    const scored = new Set([...rescored].flatMap(id => members.get(id)?.canonicalId ?? []).filter(id => !gone.has(id)));
    await this.scores.rescore(tx, await findScored(tx, [...scored]));
    return removed.length;
  }

  private async describe(tx: Tx, rows: readonly RetractableRow[], members: TouchedMembers): Promise<TouchedCluster[]> {
    const country = this.profiles.get(tx.workspace).phoneCountry;
    const listKeys = (facts: readonly StatedFact[], id: string) =>
      listStatedKeys(facts, members.get(id)!.type, country);
    const retracted = Map.groupBy(rows, row => row.entity_id);
    const active = Map.groupBy(await readIdentifyingFacts(tx, [...members.keys()]), row => row.entity_id);
    return [...Map.groupBy(members.values(), ({ canonicalId }) => canonicalId).values()].map(own => {
      const pairs = own.flatMap(({ id }) => [...listKeys(active.get(id) ?? [], id)].map(key => ({ key, id })));
      const statedFor = Map.groupBy(pairs, ({ key }) => key);
      return {
        members: own,
        retracted: new Set(own.flatMap(({ id }) => [...listKeys(retracted.get(id) ?? [], id)])),
        statedFor: new Map([...statedFor].map(([key, all]) => [key, all.map(({ id }) => id)])),
      };
    });
  }

  /**
   * Retracts the merges that a rule made because an identifier of one was stated for the other, if nobody states that
   * any more.
   * @returns all clusters.
   */
  private async takeBackMerges(
    tx: Tx,
    touched: readonly TouchedCluster[],
    owned: readonly OwnedIdentifier[],
  ): Promise<Cluster[]> {
    const owners = new Map(owned.map(each => [toStatedKey(each), each.entity_id]));
    const clusters: Cluster[] = [];
    for (const { members, retracted, statedFor } of touched) {
      const ids = toCluster(members);
      const isUnsupported = ({ a, b, reason }: LinkRow) => {
        const stating = statedFor.get(reason!) ?? [];
        return retracted.has(reason!) && ![a, b].some(id => id !== owners.get(reason!) && stating.includes(id));
      };
      const links = ids.length === 1 || retracted.size === 0 ? [] : await readLinks(tx, ids);
      const undone = links.filter(
        link =>
          link.source === IDENTIFIER_RULE && link.retracted_at === null && link.reason !== null && isUnsupported(link),
      );
      if (undone.length === 0) clusters.push(ids);
      else {
        const parted = await this.links.retract(
          tx,
          members,
          undone.map(({ id }) => id),
        );
        await recomputeCompanies(tx, parted);
        clusters.push(...parted);
      }
    }
    return clusters;
  }

  /**
   * Detaches identifiers from entities that were there before, if no member of their cluster is stated to have them.
   * @param owned identifiers that were added since the source began.
   * @param clusters the clusters that are left.
   */
  private async takeBackIdentifiers(
    tx: Tx,
    touched: readonly TouchedCluster[],
    owned: readonly OwnedIdentifier[],
    clusters: readonly Cluster[],
  ): Promise<void> {
    const byMember = new Map(touched.flatMap(cluster => cluster.members.map(({ id }) => [id, cluster])));
    const ownCluster = new Map(clusters.flatMap(cluster => cluster.map(id => [id, cluster])));
    const detached = owned.filter(each => {
      const { members, retracted, statedFor } = byMember.get(each.entity_id)!;
      const cluster = ownCluster.get(each.entity_id)!;
      const key = toStatedKey(each);
      const isConcerned = retracted.has(key) || cluster.length < members.length;
      return isConcerned && !statedFor.get(key)?.some(id => cluster.includes(id));
    });
    if (detached.length === 0) return;
    const addresses = detached.filter(({ kind }) => kind === 'email');
    const people = new Set(addresses.map(({ entity_id }) => entity_id));
    const former = await findEmployers(
      tx,
      [...people],
      addresses.map(({ key }) => key),
    );
    await detachIdentifiers(tx, detached);
    for (const cluster of clusters) {
      if (!cluster.some(id => people.has(id))) continue;
      await clearCompany(tx, cluster[0]!, former);
      await recomputeCompanies(tx, [cluster]);
    }
  }
}

/** Tells identifiers that an entity got after its creation, and since a time, from others. */
const isAddedSince =
  (began: Instant) =>
  ({ is_original, first_seen }: OwnedIdentifier): boolean =>
    !is_original && first_seen >= began;

/** Returns the ids of the members, the canonical one first. */
function toCluster(members: readonly ClusterMember[]): Cluster {
  const [{ canonicalId }] = members as [ClusterMember];
  return [canonicalId, ...members.flatMap(({ id }) => (id === canonicalId ? [] : [id])).toSorted()];
}
