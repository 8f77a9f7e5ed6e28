import { Injectable } from '@nestjs/common';
import { claimCandidates, pinnedOf } from '#domain/context/claim-candidates.js';
import { composeContext } from '#domain/context/compose.js';
import { tokensOf } from '#domain/context/rank.js';
import { PRESETS } from '#domain/context/intents.js';
import { eventCandidate, noteCandidate, workspaceCandidate } from '#domain/context/other-candidates.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { flatMapYielding, ITEM_UNITS, mapYielding } from '#kernel/scheduling/yield.js';
import { scaleOf } from '../facts/workspace-scale.js';
import { type Ambiguous, FinderService } from '../identity/finder.service.js';
import type { ContextRequest } from './context-request.js';
import { type Material, MaterialService } from './material.service.js';
import { identityOf, type ShownContext, showContext } from './shown-context.js';

/** A character is stemmed, folded and looked up. */
const UNITS_PER_CHARACTER = 16;

/** Ranked context for a task about one entity. */
@Injectable()
export class ContextService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly finder: FinderService,
    private readonly material: MaterialService,
  ) {}

  /**
   * What is worth knowing of an entity, within a budget; for a name that several bear, the candidates.
   * @throws HubError `entity_not_found`, `invalid_focus`.
   */
  read(workspace: string, request: ContextRequest): Promise<ShownContext | Ambiguous> {
    return this.work.run(workspace, async tx => {
      const found = await this.finder.find(tx, request.focus, request.hints);
      if (typeof found !== 'string') return found;
      const now = await tx.now();
      const material = await this.material.gather(tx, found, request);
      const asOf = request.asOf ?? now;
      return showContext(material, await this.composed(material, request, asOf), request, {
        asOf,
        knownAt: request.knownAt ?? now,
        scale: scaleOf(workspace),
      });
    });
  }

  private async composed(material: Material, request: ContextRequest, now: number) {
    const { claims, events, notes, workspace } = material;
    const { intent, include, minConfidence, task, budget } = request;
    const { boosted } = PRESETS[intent];
    const told = include.has('claims') ? claims : claims.filter(({ of }) => of === 'company');
    const candidates = [
      ...(await flatMapYielding(told, claim => claimCandidates([claim], boosted, minConfidence))),
      ...events.map(event => eventCandidate(event, now)),
      ...notes.map(note => noteCandidate(note, now)),
      ...workspace.map(workspaceCandidate),
    ];
    const read = await mapYielding(
      candidates,
      each => ({ ...each, tokens: tokensOf(each) }),
      ({ text }) => ITEM_UNITS + text.length * UNITS_PER_CHARACTER,
    );
    return composeContext({
      identity: identityOf(material),
      pinned: pinnedOf(claims),
      candidates: read,
      task,
      budget,
    });
  }
}
