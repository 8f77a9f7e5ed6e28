import { Injectable } from '@nestjs/common';
import { type Guard, guardsAgainst, type MergeSide } from '#domain/identity/merge-guards.js';
import { endedEmails } from '#domain/identity/ended-emails.js';
import { showClaim } from '#domain/claims/show-claim.js';
import type { Tx } from '#kernel/db/transaction.js';
import { readStates } from '../claims/states.queries.js';
import { ClaimsService } from '../claims/claims.service.js';
import type { Owner } from '../identity/identifiers.queries.js';
import type { ResolvedEntity, Rival } from '../identity/identity.service.js';
import { type Member, readIdentifiersOf, readLiveLinks } from '../identity/links.queries.js';
import { LinksService } from '../identity/links.service.js';
import { propose } from '../identity/proposals.queries.js';
import { ClusterFolder } from './cluster-folder.js';

/** What became of an identifier that was stated for one entity and belongs to another. */
export interface MergeOutcome {
  readonly status: 'merged' | 'proposed';
  /** The other one, as it was before. */
  readonly other_entity_id: string;
  /** What spoke against merging without being asked; empty when they were merged. */
  readonly guards: readonly Guard[];
}

/** An entity as it stands once its rivals have been settled. */
export type SettledEntity = ResolvedEntity & { readonly merge?: MergeOutcome };

/** Under whose name links stand that nobody asked for. */
const RULE = 'rule:identifier';

/** Settles whom an identifier belongs to that is stated for one entity while another one has it. */
@Injectable()
export class RivalsService {
  constructor(
    private readonly links: LinksService,
    private readonly claims: ClaimsService,
    private readonly folder: ClusterFolder,
  ) {}

  /**
   * Merges entities with those whose identifiers were stated for them, unless something speaks against it; then the
   * merge is proposed and the identifier stays where it is. Costs nothing when there are no rivals.
   * @throws ClustersMoved when one was merged or unmerged while this waited for it.
   */
  async settle(
    tx: Tx,
    entities: readonly (ResolvedEntity | undefined)[],
  ): Promise<readonly (SettledEntity | undefined)[]> {
    const rivalled = entities.filter(entity => entity !== undefined && entity.rivals.length > 0) as ResolvedEntity[];
    if (rivalled.length === 0) return entities;
    const all = entities.flatMap(entity => (entity ? [entity, ...entity.rivals.map(rival => rival.owner)] : []));
    const clusters = new Clusters(await this.links.lockedMembers(tx, all));
    const outcomes = new Map<ResolvedEntity, MergeOutcome>();
    for (const entity of rivalled) {
      for (const rival of entity.rivals) {
        const outcome = await this.settleOne(tx, entity, rival, clusters);
        if (outcome && !outcomes.has(entity)) outcomes.set(entity, outcome);
      }
    }
    return entities.map(entity => entity && clusters.place(entity, outcomes.get(entity)));
  }

  private async settleOne(tx: Tx, entity: Owner, rival: Rival, clusters: Clusters): Promise<MergeOutcome | undefined> {
    const [a, b] = [clusters.now(entity), clusters.now(rival.owner)];
    if (a.canonicalId === b.canonicalId) return undefined;
    const other_entity_id = b.canonicalId;
    const guards = await this.guardsBetween(tx, a, b, rival, clusters);
    if (guards.length > 0) {
      await propose(tx, a.id, b.id, rival.identifier, guards);
      return { status: 'proposed', other_entity_id, guards };
    }
    const { kind, key } = rival.identifier;
    const { clusters: joined, linkIds } = (await this.links.join(tx, {
      a,
      b,
      source: RULE,
      reason: `${kind} ${key}`,
    }))!;
    await this.folder.fold(tx, joined);
    for (const members of joined) clusters.regroup(members);
    const [entity_id, ...merged_ids] = joined[0]!;
    tx.emit({ type: 'entity.merged', payload: { entity_id, merged_ids, link_id: linkIds[0] } });
    return { status: 'merged', other_entity_id, guards };
  }

  private async guardsBetween(tx: Tx, a: Owner, b: Owner, { identifier, reliability }: Rival, clusters: Clusters) {
    const [one, other] = [clusters.membersOf(a), clusters.membersOf(b)];
    const [links, sideA, sideB] = await Promise.all([
      readLiveLinks(
        tx,
        [...one, ...other].map(({ id }) => id),
      ),
      this.sideOf(tx, one),
      this.sideOf(tx, other),
    ]);
    const saidApart = links.some(({ kind }) => kind === 'not_same');
    return guardsAgainst(sideA, sideB, {
      identifier,
      reliability: reliability(this.claims.rulesOf(tx.workspace)),
      saidApart,
    });
  }

  private async sideOf(tx: Tx, members: readonly Member[]): Promise<MergeSide> {
    const [{ canonicalId: entityId, type }] = members as [Member];
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
      showClaim(this.claims.rulesOf(tx.workspace), property, state, now, { history: true }),
    );
    return { type, identifiers, endedEmails: endedEmails(claims.filter(claim => claim !== undefined)) };
  }
}

/** Who is in which cluster, while rivals are being settled one after the other. */
class Clusters {
  private readonly canonicalIds: Map<string, string>;

  constructor(private readonly members: readonly Member[]) {
    this.canonicalIds = new Map(members.map(({ id, canonicalId }) => [id, canonicalId]));
  }

  now({ id, canonicalId }: Owner): Owner {
    return { id, canonicalId: this.canonicalIds.get(id) ?? canonicalId };
  }

  membersOf({ canonicalId }: Owner): Member[] {
    const own = this.members.filter(({ id }) => this.canonicalIds.get(id) === canonicalId);
    return own.map(member => ({ ...member, canonicalId }));
  }

  regroup(ids: readonly string[]): void {
    for (const id of ids) this.canonicalIds.set(id, ids[0]!);
  }

  /** The entity, and the company that its address names, where they are now. */
  place(entity: ResolvedEntity, merge: MergeOutcome | undefined): SettledEntity {
    const { employer } = entity;
    const employed = employer && { ...employer, id: this.canonicalIds.get(employer.id) ?? employer.id };
    return { ...entity, ...this.now(entity), employer: employed, ...(merge && { merge }) };
  }
}
