import { Injectable } from '@nestjs/common';
import { toProfileFields } from '#domain/facts/profile.js';
import { ICP_SECTION, PROFILE_SECTION } from '#domain/facts/sections.js';
import { isModelContent, parseModel } from '#domain/score/parse-model.js';
import { PLAYBOOK_SECTIONS } from '#domain/workspace/setup.js';
import type { Caller } from '#kernel/auth/caller.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { QuotaService } from '#kernel/quotas/quota.service.js';
import { ConnectionsService } from '#plugin-host/connections/connections.service.js';
import { FactsService } from '../facts/facts.service.js';
import { readLastRun } from '../retention/retention.queries.js';
import {
  type StatusSources,
  presentStatus,
  type WorkspaceStatusResponse,
  readWorkspaceCounts,
} from './status.presenter.js';

/** Reads the setup status of a workspace. */
@Injectable()
export class StatusService {
  constructor(
    private readonly work: UnitOfWork,
    private readonly facts: FactsService,
    private readonly connections: ConnectionsService,
    private readonly quotas: QuotaService,
  ) {}

  /** Returns the contents of the workspace, missing setup, and next steps. */
  async read(caller: Caller): Promise<WorkspaceStatusResponse> {
    const [sources, integrations, quotas] = await Promise.all([
      this.readSources(caller),
      this.connections.listIntegrations(caller),
      this.quotas.read(caller.workspaceId),
    ]);
    return presentStatus(sources, integrations, quotas);
  }

  private readSources({ workspaceId }: Caller): Promise<StatusSources> {
    return this.work.run(workspaceId, async tx => {
      const [row, sections, retention] = await Promise.all([
        readWorkspaceCounts(tx),
        this.facts.readSections(tx),
        readLastRun(tx),
      ]);
      const icp = sections.get(ICP_SECTION);
      const compiled = icp !== undefined && isModelContent(icp.content) && parseModel(icp.content, 1).ok;
      return {
        row,
        profile: toProfileFields(sections.get(PROFILE_SECTION)?.content),
        icp: icp && { version: icp.version, updatedAt: icp.updatedAt, compiled },
        sections: PLAYBOOK_SECTIONS.filter(name => sections.has(name)),
        facts: sections.size,
        retention,
      };
    });
  }
}
