import { Injectable } from '@nestjs/common';
import { listOwnDomains } from '#domain/facts/profile.js';
import { PROFILE_SECTION } from '#domain/facts/sections.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';

/** Time after which a change by another process is visible at the latest. */
const REFRESH_INTERVAL_MS = 5_000;

const NO_DOMAINS: ReadonlySet<string> = new Set();

/**
 * Caches the own domains of every workspace, because writes about new people need them without delay. People at these
 * domains are colleagues: they create no company and are no leads. The process that makes a change sees it at once,
 * every other within 5 seconds.
 */
@Injectable()
export class OwnDomainsCache extends PeriodicTask {
  private domains: ReadonlyMap<string, ReadonlySet<string>> = new Map();

  constructor(private readonly work: UnitOfWork) {
    super({
      intervalMs: REFRESH_INTERVAL_MS,
      loggerName: 'facts',
      failureMessage: 'Could not refresh the own domains of workspaces',
    });
  }

  /** Loads the domains before the process serves requests. */
  override async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    super.onApplicationBootstrap();
  }

  /** Returns the registrable domains (ASCII) of the workspace itself. */
  get(workspace: string): ReadonlySet<string> {
    return this.domains.get(workspace) ?? NO_DOMAINS;
  }

  /** Reads the newest profile of every workspace. */
  async refresh(): Promise<void> {
    const rows = await this.work.system(tx =>
      tx.query<{ workspace_id: string; content: JsonValue }>(
        `SELECT DISTINCT ON (workspace_id) workspace_id, content FROM workspace_facts
         WHERE section = $1 ORDER BY workspace_id, version DESC`,
        [PROFILE_SECTION],
      ),
    );
    this.domains = new Map(rows.map(({ workspace_id, content }) => [workspace_id, listOwnDomains(content)]));
  }

  protected run(): Promise<void> {
    return this.refresh();
  }
}
