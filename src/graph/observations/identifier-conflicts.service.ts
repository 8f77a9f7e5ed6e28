import { Injectable } from '@nestjs/common';
import { type MergeGuard, findMergeGuards, type MergeSide } from '#domain/identity/merge-guards.js';
import { findFormerEmails } from '#domain/identity/former-emails.js';
import { toClaim } from '#domain/claims/present-claim.js';
import type { Tx } from '#kernel/db/transaction.js';
import { readStates } from '../claims/claims.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import type { Owner } from '../identity/identifiers.queries.js';
import type { ResolvedEntity, ConflictingOwner } from '../identity/identity.service.js';
import { type ClusterMember, readIdentifiersOf, readActiveLinks } from '../identity/links.queries.js';
import { IDENTIFIER_RULE, LinksService } from '../identity/links.service.js';
import { readNames } from '../identity/names.queries.js';
import { insertProposal } from '../identity/proposals.queries.js';
import { ClusterRebuilder } from './claim-rebuild.js';

/** The result of stating an identifier for one entity that belongs to another. */
export interface MergeOutcome {
  readonly status: 'merged' | 'proposed';
  /** Canonical id of the other entity before the merge. */
  readonly other_entity_id: string;
  /** Reasons against merging automatically; empty if the entities were merged. */
  readonly guards: readonly MergeGuard[];
}

/** An entity after its identifier conflicts were resolved. */
export type ReconciledEntity = ResolvedEntity & { readonly merge?: MergeOutcome };

/** Resolves identifiers that are stated for one entity but owned by another. */
@Injectable()
export class IdentifierConflictsService {
  constructor(
    private readonly links: LinksService,
    private readonly claims: ClaimsService,
    private readonly rebuilder: ClusterRebuilder,
  ) {}

  /**
   * Merges entities with the owners of identifiers that were stated for them, unless a merge guard applies; then the
   * merge is proposed and the identifier stays with its owner. Sends no statement if there are no conflicts.
   * @param statedNames the names that the calls state for the entities, in their order.
   * @throws ClusterChangedError if an entity was merged or unmerged while this waited for its lock.
   */
  async resolve(
    tx: Tx,
    entities: readonly (ResolvedEntity | undefined)[],
    statedNames: readonly (string | undefined)[] = [],
  ): Promise<readonly (ReconciledEntity | undefined)[]> {
    const conflicting = entities.filter(
      entity => entity !== undefined && entity.conflicts.length > 0,
    ) as ResolvedEntity[];
    if (conflicting.length === 0) return entities;
    const all = entities.flatMap(entity =>
      entity ? [entity, ...entity.conflicts.map(conflict => conflict.owner)] : [],
    );
    const members = await this.links.lockMembers(tx, all);
    const clusters = new ClusterMap(members);
    const names = await readNames(tx, [...new Set(members.map(({ canonicalId }) => canonicalId))]);
    const statedFor = Map.groupBy(
      entities.flatMap((entity, i) => {
        const name = statedNames[i];
        return entity && name !== undefined ? [{ id: entity.id, name }] : [];
      }),
      ({ id }) => id,
    );
    clusters.setNames(names, new Map([...statedFor].map(([id, all]) => [id, all.map(({ name }) => name)])));
    const outcomes = new Map<ResolvedEntity, MergeOutcome>();
    for (const entity of conflicting) {
      for (const conflict of entity.conflicts) {
        const outcome = await this.resolveOne(tx, entity, conflict, clusters);
        if (outcome && !outcomes.has(entity)) outcomes.set(entity, outcome);
      }
    }
    return entities.map(entity => entity && clusters.toReconciled(entity, outcomes.get(entity)));
  }

  private async resolveOne(
    tx: Tx,
    entity: Owner,
    conflict: ConflictingOwner,
    clusters: ClusterMap,
  ): Promise<MergeOutcome | undefined> {
    const [a, b] = [clusters.locate(entity), clusters.locate(conflict.owner)];
    if (a.canonicalId === b.canonicalId) return undefined;
    const other_entity_id = b.canonicalId;
    const guards = await this.findGuards(tx, a, b, conflict, clusters);
    if (guards.length > 0) {
      await insertProposal(tx, a.id, b.id, conflict.identifier, guards);
      return { status: 'proposed', other_entity_id, guards };
    }
    const { kind, key } = conflict.identifier;
    const { clusters: joined, linkIds } = (await this.links.merge(tx, {
      a,
      b,
      source: IDENTIFIER_RULE,
      reason: `${kind} ${key}`,
    }))!;
    await this.rebuilder.rebuild(tx, joined);
    for (const members of joined) clusters.regroup(members);
    const [entity_id, ...merged_ids] = joined[0]!;
    tx.emit({ type: 'entity.merged', payload: { entity_id, merged_ids, link_id: linkIds[0] } });
    return { status: 'merged', other_entity_id, guards };
  }

  private async findGuards(
    tx: Tx,
    a: Owner,
    b: Owner,
    { identifier, reliability }: ConflictingOwner,
    clusters: ClusterMap,
  ) {
    const [one, other] = [clusters.membersOf(a), clusters.membersOf(b)];
    const [links, sideA, sideB] = await Promise.all([
      readActiveLinks(
        tx,
        [...one, ...other].map(({ id }) => id),
      ),
      this.toMergeSide(tx, one, clusters),
      this.toMergeSide(tx, other, clusters),
    ]);
    const isMarkedDistinct = links.some(({ kind }) => kind === 'not_same');
    return findMergeGuards(sideA, sideB, {
      identifier,
      reliability: reliability(this.claims.rulesOf(tx.workspace)),
      isMarkedDistinct,
    });
  }

  private async toMergeSide(tx: Tx, members: readonly ClusterMember[], clusters: ClusterMap): Promise<MergeSide> {
    const [{ canonicalId: entityId, type }] = members as [ClusterMember];
    const [now, identifiers, states] = await Promise.all([
      tx.now(),
      readIdentifiersOf(
        tx,
        members.map(({ id }) => id),
      ),
      readStates(
        tx,
        ['email', 'email_status'].map(property => ({ entityId, property })),
      ),
    ]);
    const claims = states.map(({ property, state }) =>
      toClaim(this.claims.rulesOf(tx.workspace), property, state, now, { history: true }),
    );
    const formerEmails = findFormerEmails(claims.filter(claim => claim !== undefined));
    return { type, identifiers, formerEmails, names: clusters.namesOf(members) };
  }
}

/** Tracks cluster membership while conflicts are resolved one after the other. */
class ClusterMap {
  private readonly canonicalIds: Map<string, string>;
  private names: ReadonlyMap<string, string> = new Map();
  private statedNames: ReadonlyMap<string, readonly string[]> = new Map();

  constructor(private readonly members: readonly ClusterMember[]) {
    this.canonicalIds = new Map(members.map(({ id, canonicalId }) => [id, canonicalId]));
  }

  locate({ id, canonicalId }: Owner): Owner {
    return { id, canonicalId: this.canonicalIds.get(id) ?? canonicalId };
  }

  membersOf({ canonicalId }: Owner): ClusterMember[] {
    const own = this.members.filter(({ id }) => this.canonicalIds.get(id) === canonicalId);
    return own.map(member => ({ ...member, canonicalId }));
  }

  setNames(names: ReadonlyMap<string, string>, stated: ReadonlyMap<string, readonly string[]>): void {
    this.names = names;
    this.statedNames = stated;
  }

  /** Returns the names of a cluster: those it has, and those that this transaction states. */
  namesOf(members: readonly ClusterMember[]): string[] {
    return members.flatMap(({ id }) => [this.names.get(id) ?? [], ...(this.statedNames.get(id) ?? [])].flat());
  }

  regroup(ids: readonly string[]): void {
    for (const id of ids) this.canonicalIds.set(id, ids[0]!);
  }

  /** Returns the entity and its employer with their current ids. */
  toReconciled(entity: ResolvedEntity, merge: MergeOutcome | undefined): ReconciledEntity {
    const { employer } = entity;
    const employed = employer && { ...employer, id: this.canonicalIds.get(employer.id) ?? employer.id };
    return { ...entity, ...this.locate(entity), employer: employed, ...(merge && { merge }) };
  }
}
