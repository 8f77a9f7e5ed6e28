import { Injectable } from '@nestjs/common';
import {
  toClaimCandidates,
  selectPinnedCandidates,
  toEventCandidate,
  toNoteCandidate,
  toWorkspaceCandidate,
} from '#domain/context/context-candidates.js';
import { composeContext } from '#domain/context/compose-context.js';
import { tokensOf } from '#domain/context/rank-context.js';
import { PRESETS } from '#domain/context/intents.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { flatMapYielding, ITEM_UNITS, mapYielding } from '#kernel/scheduling/cooperative-scheduler.js';
import { ScaleCache } from '../facts/facts.caches.js';
import { type AmbiguousName, EntityResolverService } from '../identity/entity-resolver.service.js';
import type { ContextRequest } from './context-request.js';
import { type ContextSources, ContextSourcesService } from './context-sources.service.js';
import { describeIdentity, type ContextResponse, presentContext } from './context.presenter.js';

/** Work units per character, for stemming, normalizing and looking up its word. */
const UNITS_PER_CHARACTER = 16;

/** Composes ranked context about an entity for a task. */
@Injectable()
export class ContextService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly entities: EntityResolverService,
    private readonly sources: ContextSourcesService,
    private readonly scales: ScaleCache,
  ) {}

  /**
   * Returns the context of an entity within the token budget, or the candidates if a name matches several entities.
   * @throws HubError `entity_not_found`, `invalid_focus`.
   */
  read(workspace: string, request: ContextRequest): Promise<ContextResponse | AmbiguousName> {
    return this.work.run(workspace, async tx => {
      const found = await this.entities.resolve(tx, request.focus, request.hints);
      if (typeof found !== 'string') return found;
      const now = await tx.now();
      const sources = await this.sources.read(tx, found, request);
      const asOf = request.asOf ?? now;
      return presentContext(sources, await this.compose(sources, request, asOf), request, {
        asOf,
        knownAt: request.knownAt ?? now,
        scale: this.scales.get(workspace),
      });
    });
  }

  private async compose(sources: ContextSources, request: ContextRequest, now: number) {
    const { claims, events, notes, workspace } = sources;
    const { intent, include, minConfidence, task, budget } = request;
    const { boosted } = PRESETS[intent];
    const visibleClaims = include.has('claims') ? claims : claims.filter(({ of }) => of === 'company');
    const candidates = [
      ...(await flatMapYielding(visibleClaims, claim => toClaimCandidates([claim], boosted, minConfidence))),
      ...events.map(event => toEventCandidate(event, now)),
      ...notes.map(note => toNoteCandidate(note, now)),
      ...workspace.map(toWorkspaceCandidate),
    ];
    const tokenized = await mapYielding(
      candidates,
      each => ({ ...each, tokens: tokensOf(each) }),
      ({ text }) => ITEM_UNITS + text.length * UNITS_PER_CHARACTER,
    );
    return composeContext({
      identity: describeIdentity(sources),
      pinned: selectPinnedCandidates(claims),
      candidates: tokenized,
      task,
      budget,
    });
  }
}
