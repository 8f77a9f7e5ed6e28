import { Injectable } from '@nestjs/common';
import { ICP } from '#domain/facts/sections.js';
import type { Json } from '#domain/observation/observation.js';
import type { Scale } from '#domain/score/bands.js';
import { looksLikeModel, readModel } from '#domain/score/read-model.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { Rounds } from '#kernel/rounds/rounds.js';
import { rememberScales } from './workspace-scale.js';

/** How old what a process knows of another one's change may be. */
const STALE_MS = 5_000;

/**
 * The tiers and bands of every workspace that has its own, in memory: lists and accounts say by them what stored scores
 * are called, and must not wait. A change is known to the process that takes it at once, to every other within 5 seconds.
 */
@Injectable()
export class ScaleBook extends Rounds {
  constructor(private readonly work: UnitOfWork) {
    super({ everyMs: STALE_MS, log: 'facts', trouble: 'The tiers and bands of workspaces may be old' });
  }

  /** A process serves when it knows them. */
  override async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    super.onApplicationBootstrap();
  }

  /** Reads the newest models that name tiers or bands. */
  async refresh(): Promise<void> {
    const rows = await this.work.system(tx =>
      tx.query<{ workspace_id: string; content: Json }>(
        `SELECT workspace_id, content FROM (
           SELECT DISTINCT ON (workspace_id) workspace_id, content FROM workspace_facts
           WHERE section = $1 ORDER BY workspace_id, version DESC) AS newest
         WHERE content ?| ARRAY['tiers', 'bands']`,
        [ICP],
      ),
    );
    rememberScales(new Map(rows.flatMap(({ workspace_id, content }) => scaleIn(workspace_id, content))));
  }

  protected round(): Promise<void> {
    return this.refresh();
  }
}

function scaleIn(workspace: string, content: Json): [string, Scale][] {
  const read = looksLikeModel(content) ? readModel(content, 1) : undefined;
  return read?.ok ? [[workspace, read.model.scale]] : [];
}
