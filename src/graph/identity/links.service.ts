import { Injectable } from '@nestjs/common';
import { newId } from '#kernel/ids.js';
import { type Cluster, computeClusters, findLinksToRetract } from '#domain/identity/clusters.js';
import type { Tx } from '#kernel/db/transaction.js';
import { HubError } from '#kernel/errors/hub-error.js';
import { lockEntities, ClusterChangedError } from './entity-locks.js';
import type { Owner } from './identifiers.queries.js';
import {
  insertLink,
  updateCanonicalIds,
  lockMerges,
  type ClusterMember,
  readActiveLinks,
  readMembers,
  retractLinks,
} from './links.queries.js';

/** Source of links that a rule created because two entities have an identifier in common. */
export const IDENTIFIER_RULE = 'rule:identifier';

/** Two entities, and who states for what reason that they are the same or distinct. */
export interface EntityPair {
  readonly a: Owner;
  readonly b: Owner;
  readonly source: string;
  readonly reason: string | undefined;
}

/** The result of a merge or unmerge. */
export interface Regrouping {
  /** The new clusters: one after a merge, two or more after an unmerge. */
  readonly clusters: readonly Cluster[];
  /** The inserted link, or the retracted ones. */
  readonly linkIds: readonly string[];
}

/** Merges and unmerges clusters of entities. Does not touch claims: the caller rebuilds them. */
@Injectable()
export class LinksService {
  /**
   * Merges the clusters of two entities and retracts links that state they are distinct. Returns undefined if they are
   * already merged. The clusters stay locked until the transaction ends.
   * @throws HubError `merge_impossible` for a person and a company.
   */
  async merge(tx: Tx, { a, b, source, reason }: EntityPair): Promise<Regrouping | undefined> {
    if (a.canonicalId === b.canonicalId) return undefined;
    const members = await this.lockMembers(tx, [a, b]);
    if (new Set(members.map(({ type }) => type)).size > 1) throw new HubError('merge_impossible');
    const ids = members.map(({ id }) => id);
    const before = await readActiveLinks(tx, ids);
    await retractLinks(
      tx,
      before.filter(({ kind }) => kind === 'not_same').map(({ id }) => id),
    );
    const id = newId();
    await insertLink(tx, { id, a: a.id, b: b.id, kind: 'same_as', source, reason: reason ?? null });
    return { clusters: await this.regroup(tx, members), linkIds: [id] };
  }

  /**
   * Unmerges two entities by retracting the links that connect them, and records that they are distinct, so that no
   * rule merges them again. Records it also if they were not merged, and then returns undefined.
   */
  async unmerge(tx: Tx, { a, b, source, reason }: EntityPair): Promise<Regrouping | undefined> {
    const members = await this.lockMembers(tx, [a, b]);
    const links = await readActiveLinks(
      tx,
      members.map(({ id }) => id),
    );
    const undone = findLinksToRetract(a.id, b.id, links).map(({ id }) => id);
    await retractLinks(tx, undone);
    await insertLink(tx, { id: newId(), a: a.id, b: b.id, kind: 'not_same', source, reason: reason ?? null });
    return undone.length === 0 ? undefined : { clusters: await this.regroup(tx, members), linkIds: undone };
  }

  /** Retracts links among these members, as if they had never been stated. @returns the clusters that remain. */
  async retract(tx: Tx, members: readonly ClusterMember[], linkIds: readonly string[]): Promise<Cluster[]> {
    await retractLinks(tx, linkIds);
    return this.regroup(tx, members);
  }

  /**
   * Locks the clusters of these owners and returns their members.
   * @throws ClusterChangedError if a cluster has changed since the owners were found.
   */
  async lockMembers(tx: Tx, owners: readonly Owner[]): Promise<ClusterMember[]> {
    const canonicalIds = [...new Set(owners.map(owner => owner.canonicalId))];
    await lockMerges(tx);
    await lockEntities(tx, canonicalIds);
    const members = await readMembers(tx, canonicalIds);
    const now = new Map(members.map(({ id, canonicalId }) => [id, canonicalId]));
    if (owners.some(({ id, canonicalId }) => now.get(id) !== canonicalId)) throw new ClusterChangedError();
    return members;
  }

  private async regroup(tx: Tx, members: readonly ClusterMember[]): Promise<Cluster[]> {
    const links = await readActiveLinks(
      tx,
      members.map(({ id }) => id),
    );
    const clusters = computeClusters(members, links);
    await updateCanonicalIds(
      tx,
      clusters.flatMap(cluster => cluster.map(id => [id, cluster[0]!] as const)),
    );
    return clusters;
  }
}
