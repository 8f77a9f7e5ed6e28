import { Injectable } from '@nestjs/common';
import { ICP_SECTION } from '#domain/facts/sections.js';
import type { JsonValue } from '#domain/observation/observation.js';
import { DEFAULT_SCALE, type ScoreScale } from '#domain/score/bands.js';
import { isModelContent, parseModel } from '#domain/score/parse-model.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';

/** Time after which a change by another process is visible at the latest. */
const REFRESH_INTERVAL_MS = 5_000;

/**
 * Caches the tiers and bands of every workspace that has its own, because lists and accounts name stored scores by them
 * without delay. The process that makes a change sees it at once, every other within 5 seconds.
 */
@Injectable()
export class ScaleCache extends PeriodicTask {
  private scales: ReadonlyMap<string, ScoreScale> = new Map();

  constructor(private readonly work: UnitOfWork) {
    super({
      intervalMs: REFRESH_INTERVAL_MS,
      loggerName: 'facts',
      failureMessage: 'Could not refresh the score tiers and bands of workspaces',
    });
  }

  /** Loads the scales before the process serves requests. */
  override async onApplicationBootstrap(): Promise<void> {
    await this.refresh();
    super.onApplicationBootstrap();
  }

  /** Returns the tiers and bands of a workspace. */
  get(workspace: string): ScoreScale {
    return this.scales.get(workspace) ?? DEFAULT_SCALE;
  }

  /** Reads the newest models that define tiers or bands. */
  async refresh(): Promise<void> {
    const rows = await this.work.system(tx =>
      tx.query<{ workspace_id: string; content: JsonValue }>(
        `SELECT workspace_id, content FROM (
           SELECT DISTINCT ON (workspace_id) workspace_id, content FROM workspace_facts
           WHERE section = $1 ORDER BY workspace_id, version DESC) AS newest
         WHERE content ?| ARRAY['tiers', 'bands']`,
        [ICP_SECTION],
      ),
    );
    this.scales = new Map(rows.flatMap(({ workspace_id, content }) => readScale(workspace_id, content)));
  }

  protected run(): Promise<void> {
    return this.refresh();
  }
}

function readScale(workspace: string, content: JsonValue): [string, ScoreScale][] {
  const read = isModelContent(content) ? parseModel(content, 1) : undefined;
  return read?.ok ? [[workspace, read.model.scale]] : [];
}
