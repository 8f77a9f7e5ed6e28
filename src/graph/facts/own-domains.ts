import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { ownDomainsIn } from '#domain/facts/profile.js';
import { PROFILE } from '#domain/facts/sections.js';
import type { Json } from '#domain/observation/observation.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';

/** How old what a process knows of another one's change may be. */
const STALE_MS = 5_000;

const NONE: ReadonlySet<string> = new Set();

/**
 * The domains that every workspace calls its own, in memory: whoever writes about somebody new asks for them and must
 * not wait. Who works there is a colleague: they make no company, and are no leads. A change is known to the process
 * that makes it at once, to every other within 5 seconds.
 */
@Injectable()
export class OwnDomains implements OnApplicationBootstrap, OnApplicationShutdown {
  private domains: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  private readonly log = new Logger('facts');
  private reading: NodeJS.Timeout | undefined;

  constructor(private readonly work: UnitOfWork) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    const again = () =>
      this.refresh().catch((error: unknown) => this.log.warn(`own domains are old: ${String(error)}`));
    this.reading = setInterval(() => void again(), STALE_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.reading);
  }

  /** The registrable domains (ASCII) of a workspace itself. */
  of(workspace: string): ReadonlySet<string> {
    return this.domains.get(workspace) ?? NONE;
  }

  /** Reads the newest profile of every workspace. */
  async refresh(): Promise<void> {
    const rows = await this.work.system(tx =>
      tx.query<{ workspace_id: string; content: Json }>(
        `SELECT DISTINCT ON (workspace_id) workspace_id, content FROM workspace_facts
         WHERE section = $1 ORDER BY workspace_id, version DESC`,
        [PROFILE],
      ),
    );
    this.domains = new Map(rows.map(({ workspace_id, content }) => [workspace_id, ownDomainsIn(content)]));
  }
}
