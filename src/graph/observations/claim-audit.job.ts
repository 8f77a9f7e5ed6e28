import { Inject, Injectable, Logger } from '@nestjs/common';
import { Counter, Registry } from 'prom-client';
import { ENV } from '#kernel/config/config.module.js';
import type { Env } from '#kernel/config/env.js';
import { UnitOfWork } from '#kernel/db/unit-of-work.js';
import { PeriodicTask } from '#kernel/scheduling/periodic-task.js';
import { METRICS } from '#kernel/telemetry/metrics.module.js';
import { listWorkspaces } from '#kernel/workspaces/workspaces.repository.js';
import { ClaimsService } from '../claims/claims.service.js';
import { auditClaims, type RebuildProgress } from './claim-rebuild.js';

const CHECK_INTERVAL_MS = 10 * 60_000;
/** Hour of the day in UTC, from which audits may start. */
const START_HOUR_UTC = 2;
const RETENTION_DAYS = 90;

/**
 * Audits one percent of the claims every night, another sample each night, and reports claims that differ from the fold
 * of the log. Claims are a cache, so none may ever differ. The first process to claim the day audits the workspace.
 */
@Injectable()
export class ClaimAuditJob extends PeriodicTask {
  private readonly log = new Logger('claims');
  private readonly auditedTotal: Counter;
  private readonly mismatchesTotal: Counter;
  private stopping = false;

  constructor(
    private readonly work: UnitOfWork,
    private readonly claims: ClaimsService,
    @Inject(ENV) private readonly env: Env,
    @Inject(METRICS) registry: Registry,
  ) {
    super({ intervalMs: CHECK_INTERVAL_MS, loggerName: 'claims', failureMessage: 'Claims cannot be audited' });
    const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
    this.auditedTotal = counter('rapport_claim_audit_claims_total', 'Claims that nightly audits have folded again');
    this.mismatchesTotal = counter(
      'rapport_claim_audit_mismatches_total',
      'Claims that differed from the fold of the log',
    );
  }

  protected override isEnabled(): boolean {
    return this.env.role !== 'api';
  }

  override async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await super.onApplicationShutdown();
  }

  /** Audits at night, once a day. */
  protected async run(): Promise<void> {
    const now = new Date();
    if (now.getUTCHours() >= START_HOUR_UTC) await this.auditAll(now.toISOString().slice(0, 10));
  }

  /** Audits every workspace that was not audited on this day yet. @param day YYYY-MM-DD; also selects the sample. */
  async auditAll(day: string): Promise<RebuildProgress> {
    const sum = { entities: 0, claims: 0, changed: 0 };
    for (const { id } of await listWorkspaces(this.work)) {
      if (this.stopping || !(await this.claimDay(id, day))) continue;
      const found = await this.audit(id, day);
      sum.entities += found.entities;
      sum.claims += found.claims;
      sum.changed += found.changed;
    }
    return sum;
  }

  /** Audits one sample of one workspace, updates the counters and stores the result. */
  async audit(workspace: string, sample: string): Promise<RebuildProgress> {
    const found = await auditClaims(this.work, workspace, this.claims, sample);
    this.auditedTotal.inc(found.claims);
    this.mismatchesTotal.inc(found.changed);
    if (found.changed > 0) {
      this.log.error(
        `${found.changed} of ${found.claims} audited claims of ${workspace} differ from the log; run rebuild-claims`,
      );
    }
    await this.work.run(workspace, tx =>
      tx.query('UPDATE claim_audits SET claims = $2, mismatches = $3 WHERE workspace_id = $1 AND day::text = $4', [
        workspace,
        found.claims,
        found.changed,
        sample,
      ]),
    );
    return found;
  }

  private async claimDay(workspace: string, day: string): Promise<boolean> {
    return this.work.run(workspace, async tx => {
      tx.deferToCommit(`DELETE FROM claim_audits WHERE workspace_id = $1 AND day < current_date - ${RETENTION_DAYS}`, [
        workspace,
      ]);
      const inserted = await tx.query(
        'INSERT INTO claim_audits (workspace_id, day) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING day',
        [workspace, day],
      );
      return inserted.length > 0;
    });
  }
}
