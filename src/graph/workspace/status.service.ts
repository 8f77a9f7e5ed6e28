import { Injectable } from '@nestjs/common';
import { showProfile } from '#domain/facts/onboarding.js';
import { ICP, PROFILE } from '#domain/facts/sections.js';
import { looksLikeModel, readModel } from '#domain/score/read-model.js';
import { PLAYBOOK } from '#domain/workspace/setup.js';
import type { Caller } from '#kernel/auth/caller.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { ConnectionsService } from '#kernel/plugins/connections/connections.service.js';
import { FactsService } from '../facts/facts.service.js';
import { type Known, showStatus, type WorkspaceStatus } from './shown-status.js';
import { readWorkspace } from './status.queries.js';

/** Tells how far a workspace is set up, for people and agents that come to it anew. */
@Injectable()
export class StatusService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: FactsService,
    private readonly connections: ConnectionsService,
  ) {}

  /** What there is, what is missing, and what to do next. */
  async read(caller: Caller): Promise<WorkspaceStatus> {
    const [known, integrations] = await Promise.all([this.known(caller), this.connections.catalogue(caller)]);
    return showStatus(known, integrations);
  }

  private known({ workspaceId }: Caller): Promise<Known> {
    return this.work.run(workspaceId, async tx => {
      const [row, sections] = await Promise.all([readWorkspace(tx), this.facts.current(tx)]);
      const icp = sections.get(ICP);
      const compiled = icp !== undefined && looksLikeModel(icp.content) && readModel(icp.content, 1).ok;
      return {
        row,
        profile: showProfile(sections.get(PROFILE)?.content),
        icp: icp && { version: icp.version, updatedAt: icp.updatedAt, compiled },
        sections: PLAYBOOK.filter(name => sections.has(name)),
        facts: sections.size,
      };
    });
  }
}
