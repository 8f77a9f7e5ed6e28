import { Inject, Injectable, Logger } from '@nestjs/common';
import { createMentionMatcher } from '#domain/erasure/mentions.js';
import type { PersonalTerms } from '#domain/erasure/personal-terms.js';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import type { Tx } from '#kernel/db/transaction.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { FileStore } from '#kernel/files/file-store.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { SecretBox } from '#kernel/secrets/secret-box.js';
import { ClaimsService } from '../claims/claims.service.js';
import { HistoryService } from '../observations/history.service.js';
import { addCounts, type ErasedPerson, type ErasurePhase } from './erasure-phase.js';
import { toTermsPlace } from './erasure-secrets.js';
import {
  type ErasureRef,
  findDueErasures,
  finishErasure,
  lockDueErasure,
  postponeErasure,
  type RunningErasure,
  saveProgress,
} from './erasures.queries.js';
import {
  createFilesPhase,
  createOwnLogPhase,
  ownLeadsPhase,
  ownNotesPhase,
  reportedRowsPhase,
  runsPhase,
} from './own-records.phases.js';
import { createLogMentionsPhase } from './log-mentions.phase.js';
import { createResponsesPhase, outboxPhase, pluginJobsPhase, webhooksPhase } from './message.phases.js';
import { noteMentionsPhase } from './note.phases.js';
import { createPluginStorePhase, factMentionsPhase, leadMentionsPhase } from './row-mentions.phases.js';

const INTERVAL_MS = 2_000;
const PAGE_BUDGET_MS = 60_000;
/**
 * Time between the two passes. What was in flight when the person was erased, such as a webhook whose handler had read
 * its body, is written by then, and the second pass removes it.
 */
const SETTLE_MS = 5 * 60_000;
/** Number of passes over all records. */
const PASSES = 2;

/**
 * Carries out erasures. Progress is stored with each page, so any process can resume one after a crash, and no two work
 * on one at once.
 */
@Injectable()
export class ErasureJob extends PeriodicTask {
  private readonly log = new Logger('erasures');
  private readonly phases: readonly ErasurePhase[];
  private stopping = false;

  constructor(
    private readonly work: UnitOfWork,
    private readonly box: SecretBox,
    @Inject(ENV) private readonly env: Env,
    claims: ClaimsService,
    history: HistoryService,
    files: FileStore,
  ) {
    super({ intervalMs: INTERVAL_MS, loggerName: 'erasures', failureMessage: 'Could not look for due erasures' });
    this.phases = [
      createOwnLogPhase(claims),
      ownNotesPhase,
      ownLeadsPhase,
      createLogMentionsPhase(claims, history),
      noteMentionsPhase,
      leadMentionsPhase,
      factMentionsPhase,
      createResponsesPhase(box),
      outboxPhase,
      pluginJobsPhase,
      runsPhase,
      reportedRowsPhase,
      webhooksPhase,
      createPluginStorePhase(box),
      createFilesPhase(files),
    ];
  }

  override onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    return super.onApplicationShutdown();
  }

  protected override isEnabled(): boolean {
    return this.env.role !== 'api';
  }

  /** Runs every due erasure until it is done or waits, or until the process stops. */
  protected async run(): Promise<void> {
    for (const erasure of await this.work.system(findDueErasures)) await this.runErasure(erasure);
  }

  private async runErasure({ workspace_id: workspace, id }: ErasureRef): Promise<void> {
    try {
      while (!this.stopping && (await this.runPage(workspace, id)));
    } catch (error) {
      const name = error instanceof Error ? error.constructor.name : typeof error;
      this.log.error(`Erasure ${id} of workspace ${workspace} failed and is tried again later (${name}).`);
      await this.work.erase(workspace, tx => postponeErasure(tx, id));
    }
  }

  /** Runs the next page. @returns whether another one is due. */
  private runPage(workspace: string, id: string): Promise<boolean> {
    const options = { budgetMs: PAGE_BUDGET_MS };
    return this.work.erase(
      workspace,
      async tx => {
        const erasure = await lockDueErasure(tx, id);
        if (!erasure) return false;
        if (erasure.phase >= PASSES * this.phases.length) return this.finish(tx, erasure);
        return this.advance(tx, erasure);
      },
      options,
    );
  }

  private async advance(tx: Tx, erasure: RunningErasure): Promise<boolean> {
    const phase = this.phases[erasure.phase % this.phases.length]!;
    const { cursor, counts: more } = await phase.run(tx, this.toPerson(tx.workspace, erasure), erasure.cursor);
    const counts = addCounts(erasure.counts, more);
    if (cursor !== null) {
      await saveProgress(tx, erasure.id, { phase: erasure.phase, cursor, counts });
      return true;
    }
    const next = erasure.phase + 1;
    const mustWait = next === this.phases.length;
    await saveProgress(tx, erasure.id, { phase: next, cursor, counts, ...(mustWait && { delayMs: SETTLE_MS }) });
    return !mustWait;
  }

  private async finish(tx: Tx, { id, entity_id, entity_ids }: RunningErasure): Promise<boolean> {
    await finishErasure(tx, id);
    const merged_ids = entity_ids.filter(each => each !== entity_id);
    tx.emit({ type: 'person.erased', payload: { erasure_id: id, entity_id, merged_ids } });
    return false;
  }

  private toPerson(workspace: string, { id, entity_ids, terms, requested_at }: RunningErasure): ErasedPerson {
    const opened = JSON.parse(this.box.open(toTermsPlace(workspace, id), terms)) as PersonalTerms;
    return { ids: entity_ids, matcher: createMentionMatcher(opened), requestedAt: requested_at };
  }
}
